import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node, RangeVar } from 'libpg-query';
import { type ColumnType, droppedTable, KnownTables, typeIn } from './known-tables.ts';
import type { MigrationRule } from './migration-table.ts';

/** A fault of a statement. */
export interface StatementFault {
  readonly rule: MigrationRule;
  /** The name with the schema. */
  readonly table: string;
  /** A word of the statement that the finding is placed at; if undefined, at the beginning. */
  readonly near?: string | undefined;
  /** The index of the part between its commas; absent for the first. */
  readonly part?: number;
}

/** Objects that earlier statements of the change have created: no running program uses them yet. */
export class MadeHere {
  readonly tables = new Set<string>();
  readonly views = new Set<string>();
  /** As `table.column`. */
  readonly columns = new Set<string>();
  /** Tables from which all rows were deleted. */
  readonly emptied = new Set<string>();
  /** The state of the tables after the statements so far. */
  readonly known = new KnownTables();
}

/** Functions that return a different value in every row. */
const volatile =
  /^(?:gen_random_uuid|uuidv[47]|uuid_generate_v\w+|random|clock_timestamp|timeofday|nextval|gen_random_bytes|nanoid|ulid)$/;
/** Types that are converted to each other without rewriting the table, unless the new limit is smaller. */
const textTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'citext']);

/** Finds the faults of a statement, and records its effects for the following ones. */
export function faultsOf(statement: Node, made: MadeHere): StatementFault[] {
  const faults = faultsIn(statement, made);
  // Parts of an alteration are recorded one by one, because the next parts depend on them.
  if (!('AlterTableStmt' in statement)) made.known.apply(statement);
  return faults;
}

function faultsIn(statement: Node, made: MadeHere): StatementFault[] {
  const [kind, value] = Object.entries(statement)[0] ?? [];
  // biome-ignore lint/suspicious/noExplicitAny: the tree of the parser is keyed by the names of its nodes
  const node = value as any;
  const nameOf = (relation: RangeVar | undefined) => made.known.keyOf(relation);
  const isNew = (relation: RangeVar | undefined) =>
    made.tables.has(nameOf(relation)) ||
    relation?.relpersistence === 't' ||
    relation?.schemaname === 'pg_temp';
  const onTable = (rule: MigrationRule, relation: RangeVar | undefined, near?: string): StatementFault[] =>
    relation === undefined || isNew(relation) ? [] : [{ rule, table: nameOf(relation), near }];
  switch (kind) {
    case 'CreateStmt':
      if (node.if_not_exists !== true || !made.known.has(nameOf(node.relation)))
        made.tables.add(nameOf(node.relation));
      return [];
    case 'CreateTableAsStmt':
      made.tables.add(nameOf(node.into?.rel));
      return [];
    case 'SelectStmt':
      if (node.intoClause?.rel !== undefined) made.tables.add(nameOf(node.intoClause.rel));
      return [];
    case 'DeleteStmt':
      if (node.whereClause === undefined) made.emptied.add(nameOf(node.relation));
      return [];
    case 'ViewStmt':
      made.views.add(nameOf(node.view));
      return [];
    case 'IndexStmt':
      // With `ON ONLY`, the index is created on the partitions separately.
      return node.concurrent === true || node.relation?.inh !== true
        ? []
        : onTable('create-index', node.relation);
    case 'DropStmt':
      return node.removeType === 'OBJECT_TABLE' ? droppedTables(node.objects ?? [], made) : [];
    case 'TruncateStmt':
      return (node.relations ?? []).flatMap((each: Node, part: number) =>
        'RangeVar' in each
          ? onTable('truncate', each.RangeVar, each.RangeVar.relname).map((fault) => ({ ...fault, part }))
          : [],
      );
    case 'ClusterStmt':
      return onTable('rewrite-table', node.relation);
    case 'VacuumStmt':
      return isFullVacuum(node)
        ? (node.rels ?? []).flatMap((each: { VacuumRelation?: { relation?: RangeVar } }) =>
            onTable('rewrite-table', each.VacuumRelation?.relation),
          )
        : [];
    case 'RenameStmt':
      return renamed(node, made, isNew(node.relation));
    case 'AlterTableStmt':
      if (node.objtype !== 'OBJECT_TABLE') return [];
      return alterations(node, made).filter(() => !isNew(node.relation));
    default:
      return [];
  }
}

function droppedTables(objects: readonly Node[], made: MadeHere): StatementFault[] {
  return objects.flatMap((each, part): StatementFault[] => {
    const dropped = droppedTable(each);
    const table = made.known.keyOf(dropped);
    if (dropped === undefined || made.tables.has(table) || dropped.schemaname === 'pg_temp') return [];
    return [{ rule: 'drop-table', table, near: dropped.relname, part }];
  });
}

function isFullVacuum({ is_vacuumcmd, options }: { is_vacuumcmd?: boolean; options?: Node[] }): boolean {
  return (
    is_vacuumcmd === true &&
    (options ?? []).some((each) => 'DefElem' in each && each.DefElem.defname === 'full')
  );
}

function renamed(
  node: { renameType?: string; relation?: RangeVar; subname?: string; newname?: string },
  made: MadeHere,
  isNew: boolean,
): StatementFault[] {
  const table = made.known.keyOf(node.relation);
  if (node.renameType === 'OBJECT_TABLE') {
    if (isNew) made.tables.add(made.known.keyOf({ ...node.relation, relname: node.newname ?? '' }));
    return isNew ? [] : [{ rule: 'rename-table', table }];
  }
  const column = `${table}.${node.subname ?? ''}`;
  if (node.renameType !== 'OBJECT_COLUMN' || isNew || made.columns.has(column)) return [];
  return [{ rule: 'rename-column', table, near: node.subname }];
}

function alterations({ relation, cmds }: AlterTableStmt, made: MadeHere): StatementFault[] {
  const table = made.known.keyOf(relation);
  return (cmds ?? []).flatMap((each, part) => {
    if (!('AlterTableCmd' in each)) return [];
    const faults = alteration(table, each.AlterTableCmd, made);
    made.known.alter(table, each.AlterTableCmd);
    return faults.map((fault) => ({ ...fault, part }));
  });
}

function alteration(table: string, command: AlterTableCmd, made: MadeHere): StatementFault[] {
  const column = `${table}.${command.name ?? ''}`;
  const isNewColumn = made.columns.has(column);
  const raise = (rule: MigrationRule, near = command.name): StatementFault[] => [{ rule, table, near }];
  switch (command.subtype) {
    case 'AT_DropColumn':
      return isNewColumn ? [] : raise('drop-column');
    case 'AT_AlterColumnType':
      return isNewColumn || !isRewritten(command, made.known.typeOf(table, command.name ?? ''))
        ? []
        : raise('retype-column');
    case 'AT_SetNotNull':
      return made.known.isFilled(table, command.name ?? '') ? [] : raise('set-not-null');
    case 'AT_AddColumn':
      return addedColumn(table, command, made);
    case 'AT_AddConstraint':
      return addedConstraint(table, command, made);
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetAccessMethod':
      return raise('rewrite-table');
    default:
      return [];
  }
}

/** Whether a new type rewrites the table. A text is not rewritten if the new type takes all texts of the old one. */
function isRewritten({ def }: AlterTableCmd, old: ColumnType | undefined): boolean {
  if (def === undefined || !('ColumnDef' in def)) return false;
  const { name, limit } = typeIn(def.ColumnDef);
  if (def.ColumnDef.raw_default !== undefined || !textTypes.has(name)) return true;
  // An unknown old type was probably a shorter text.
  if (limit === undefined) return old !== undefined && !textTypes.has(old.name);
  return old === undefined || !textTypes.has(old.name) || old.limit === undefined || old.limit > limit;
}

function constraintsOf({ constraints }: ColumnDef): Constraint[] {
  return (constraints ?? []).flatMap((each) => ('Constraint' in each ? [each.Constraint] : []));
}

function addedColumn(table: string, { def }: AlterTableCmd, made: MadeHere): StatementFault[] {
  if (def === undefined || !('ColumnDef' in def)) return [];
  const column = def.ColumnDef;
  const near = column.colname;
  made.columns.add(`${table}.${near ?? ''}`);
  const constraints = constraintsOf(column);
  const of = (kind: Constraint['contype']) => constraints.find(({ contype }) => contype === kind);
  const value = of('CONSTR_DEFAULT')?.raw_expr;
  const { name: type } = typeIn(column);
  const isCounted = /^(?:small|big)?serial[248]?$/.test(type) || of('CONSTR_IDENTITY') !== undefined;
  const faults: StatementFault[] = [];
  const isStored = of('CONSTR_GENERATED')?.generated_kind === 's';
  if (isCounted || isStored || (value !== undefined && callsVolatile(value)))
    faults.push({ rule: 'volatile-default', table, near });
  else if (
    of('CONSTR_NOTNULL') !== undefined &&
    value === undefined &&
    of('CONSTR_GENERATED') === undefined &&
    !made.emptied.has(table)
  )
    faults.push({ rule: 'not-null-column', table, near });
  if (of('CONSTR_PRIMARY') !== undefined || of('CONSTR_UNIQUE') !== undefined)
    faults.push({ rule: 'add-unique', table, near });
  return faults;
}

/** Whether an expression calls a volatile function, including inside casts and operators. */
function callsVolatile(expression: unknown): boolean {
  if (typeof expression !== 'object' || expression === null) return false;
  const called = (
    expression as { FuncCall?: { funcname?: { String?: { sval?: string } }[] } }
  ).FuncCall?.funcname?.at(-1);
  if (called?.String?.sval !== undefined && volatile.test(called.String.sval)) return true;
  return Object.values(expression).some(callsVolatile);
}

function addedConstraint(table: string, { def }: AlterTableCmd, made: MadeHere): StatementFault[] {
  if (def === undefined || !('Constraint' in def)) return [];
  const constraint = def.Constraint;
  const near = constraint.conname;
  const isUnproven = constraint.skip_validation === true;
  switch (constraint.contype) {
    case 'CONSTR_CHECK':
      return isUnproven ? [] : [{ rule: 'add-check', table, near }];
    case 'CONSTR_FOREIGN': {
      const columns = (constraint.fk_attrs ?? []).flatMap((each) =>
        'String' in each ? [each.String.sval ?? ''] : [],
      );
      // New columns have no values to check.
      const areNew = columns.length > 0 && columns.every((each) => made.columns.has(`${table}.${each}`));
      const isToNew = made.tables.has(made.known.keyOf(constraint.pktable));
      return isUnproven || areNew || isToNew ? [] : [{ rule: 'add-foreign-key', table, near }];
    }
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
    case 'CONSTR_EXCLUSION':
      return constraint.indexname === undefined ? [{ rule: 'add-unique', table, near }] : [];
    default:
      return [];
  }
}
