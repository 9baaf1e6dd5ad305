import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node, RangeVar } from 'libpg-query';
import type { MigrationRule } from './migration-table.ts';

/** What a statement does that is worth a comment. */
export interface StatementFault {
  readonly rule: MigrationRule;
  readonly table: string;
  /** A word of the statement near which it stands; none for the beginning. */
  readonly near?: string | undefined;
  /** Which of the parts between its commas; none for the first. */
  readonly part?: number;
}

/** What earlier statements of the same change have made: nobody uses it yet. */
export class MadeHere {
  readonly tables = new Set<string>();
  readonly views = new Set<string>();
  /** As `table.column`. */
  readonly columns = new Set<string>();
  /** Tables from which everything was deleted. */
  readonly emptied = new Set<string>();
  /** Columns that a check says are filled, as `table.column`. */
  readonly filled = new Set<string>();
}

/** Functions that give another value in every row. */
const volatile =
  /^(?:gen_random_uuid|uuidv[47]|uuid_generate_v\w+|random|clock_timestamp|timeofday|nextval|gen_random_bytes|nanoid|ulid)$/;
/** Types that a column of a shorter one of the same kind becomes without being written anew. */
const wideTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'citext']);

export function nameOf(relation: RangeVar | undefined): string {
  return relation?.relname ?? '';
}

/** Faults of one parsed statement; what it makes is noted for those that follow. */
export function faultsOf(statement: Node, made: MadeHere): StatementFault[] {
  const [kind, value] = Object.entries(statement)[0] ?? [];
  // biome-ignore lint/suspicious/noExplicitAny: the tree of the parser is keyed by the names of its nodes
  const node = value as any;
  const isNew = (relation: RangeVar | undefined) =>
    made.tables.has(nameOf(relation)) ||
    relation?.relpersistence === 't' ||
    relation?.schemaname === 'pg_temp';
  const onTable = (rule: MigrationRule, relation: RangeVar | undefined, near?: string): StatementFault[] =>
    relation === undefined || isNew(relation) ? [] : [{ rule, table: nameOf(relation), near }];
  switch (kind) {
    case 'CreateStmt':
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
      // An index on the parent alone is made for its partitions one by one.
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
      return isNew(node.relation) || node.objtype !== 'OBJECT_TABLE' ? [] : alterations(node, made);
    default:
      return [];
  }
}

function droppedTables(objects: readonly Node[], made: MadeHere): StatementFault[] {
  return objects.flatMap((each, part): StatementFault[] => {
    if (!('List' in each)) return [];
    const names = (each.List.items ?? []).map((item) => ('String' in item ? (item.String.sval ?? '') : ''));
    const table = names.at(-1) ?? '';
    if (made.tables.has(table) || names[0] === 'pg_temp') return [];
    return [{ rule: 'drop-table', table, near: names.at(-1), part }];
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
  const table = nameOf(node.relation);
  if (node.renameType === 'OBJECT_TABLE') {
    if (isNew) made.tables.add(node.newname ?? '');
    return isNew ? [] : [{ rule: 'rename-table', table }];
  }
  const column = `${table}.${node.subname ?? ''}`;
  if (node.renameType !== 'OBJECT_COLUMN' || isNew || made.columns.has(column)) return [];
  return [{ rule: 'rename-column', table, near: node.subname }];
}

function alterations({ relation, cmds }: AlterTableStmt, made: MadeHere): StatementFault[] {
  return (cmds ?? []).flatMap((each, part) =>
    'AlterTableCmd' in each
      ? alteration(nameOf(relation), each.AlterTableCmd, made).map((fault) => ({ ...fault, part }))
      : [],
  );
}

function alteration(table: string, command: AlterTableCmd, made: MadeHere): StatementFault[] {
  const column = `${table}.${command.name ?? ''}`;
  const isNewColumn = made.columns.has(column);
  const raise = (rule: MigrationRule, near = command.name): StatementFault[] => [{ rule, table, near }];
  switch (command.subtype) {
    case 'AT_DropColumn':
      return isNewColumn ? [] : raise('drop-column');
    case 'AT_AlterColumnType':
      return isNewColumn || !isRewritten(command) ? [] : raise('retype-column');
    case 'AT_SetNotNull':
      return made.filled.has(column) ? [] : raise('set-not-null');
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

/** A type of texts without a limit is mostly that of shorter ones; everything else is converted row by row. */
function isRewritten({ def }: AlterTableCmd): boolean {
  if (def === undefined || !('ColumnDef' in def)) return false;
  const { typeName, raw_default: using } = def.ColumnDef;
  return using !== undefined || !wideTypes.has(typeNameOf(typeName));
}

function typeNameOf(type: ColumnDef['typeName']): string {
  const last = type?.names?.at(-1);
  return last !== undefined && 'String' in last ? (last.String.sval ?? '') : '';
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
  const type = typeNameOf(column.typeName);
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

/** Looks through casts and operators as well. */
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
    case 'CONSTR_CHECK': {
      for (const column of columnsSaidFilled(constraint)) made.filled.add(`${table}.${column}`);
      return isUnproven ? [] : [{ rule: 'add-check', table, near }];
    }
    case 'CONSTR_FOREIGN': {
      const columns = (constraint.fk_attrs ?? []).flatMap((each) =>
        'String' in each ? [each.String.sval ?? ''] : [],
      );
      // Nothing is in them yet.
      const areNew = columns.length > 0 && columns.every((each) => made.columns.has(`${table}.${each}`));
      const isToNew = made.tables.has(nameOf(constraint.pktable));
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

function columnsSaidFilled({ raw_expr }: Constraint): string[] {
  if (raw_expr === undefined || !('NullTest' in raw_expr)) return [];
  const { arg, nulltesttype } = raw_expr.NullTest;
  if (nulltesttype !== 'IS_NOT_NULL' || arg === undefined || !('ColumnRef' in arg)) return [];
  const last = arg.ColumnRef.fields?.at(-1);
  return last !== undefined && 'String' in last ? [last.String.sval ?? ''] : [];
}
