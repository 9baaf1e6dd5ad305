import type { AlterTableCmd, ColumnDef, Constraint, Node, RangeVar } from 'libpg-query';

/** A type as named in a statement, with its maximum length; undefined if there is none. */
export interface ColumnType {
  readonly name: string;
  readonly limit: number | undefined;
}

interface Check {
  /** The columns that it requires to be not null. */
  readonly columns: readonly string[];
  /** Whether PostgreSQL has validated it for all rows. */
  readonly isProven: boolean;
}

interface KnownTable {
  readonly types: Map<string, ColumnType>;
  readonly checks: Map<string, Check>;
}

const standardSchema = 'public';

/** The state of tables after the migrations so far, by name with schema. */
export class KnownTables {
  /** The schema of names without one. */
  #schema = standardSchema;
  readonly #tables = new Map<string, KnownTable>();

  keyOf(relation: Pick<RangeVar, 'schemaname' | 'relname'> | undefined): string {
    return `${relation?.schemaname ?? this.#schema}.${relation?.relname ?? ''}`;
  }

  /** Begins another file, with the default schema. */
  beginFile(): void {
    this.#schema = standardSchema;
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  typeOf(table: string, column: string): ColumnType | undefined {
    return this.#tables.get(table)?.types.get(column);
  }

  /** Whether a validated check proves that a column is not null, so that PostgreSQL need not scan the table. */
  isFilled(table: string, column: string): boolean {
    const checks = this.#tables.get(table)?.checks.values() ?? [];
    return [...checks].some(({ columns, isProven }) => isProven && columns.includes(column));
  }

  /** Applies a statement to the tables. */
  apply(statement: Node): void {
    if ('VariableSetStmt' in statement) this.#setSchema(statement.VariableSetStmt);
    else if ('CreateStmt' in statement) {
      const { relation, tableElts, if_not_exists } = statement.CreateStmt;
      const key = this.keyOf(relation);
      if (if_not_exists === true && this.has(key)) return;
      this.#tables.delete(key);
      this.#open(key);
      for (const each of tableElts ?? []) {
        if ('ColumnDef' in each) this.#addColumn(key, each.ColumnDef);
        if ('Constraint' in each) this.#addCheck(key, each.Constraint);
      }
    } else if ('CreateTableAsStmt' in statement)
      this.#open(this.keyOf(statement.CreateTableAsStmt.into?.rel));
    else if ('DropStmt' in statement && statement.DropStmt.removeType === 'OBJECT_TABLE')
      for (const each of statement.DropStmt.objects ?? [])
        this.#tables.delete(this.keyOf(droppedTable(each)));
    else if ('RenameStmt' in statement) this.#rename(statement.RenameStmt);
    else if ('AlterTableStmt' in statement)
      for (const each of statement.AlterTableStmt.cmds ?? [])
        if ('AlterTableCmd' in each)
          this.alter(this.keyOf(statement.AlterTableStmt.relation), each.AlterTableCmd);
  }

  /** Applies one part of an `ALTER TABLE` statement. */
  alter(table: string, { subtype, name = '', def }: AlterTableCmd): void {
    const { types, checks } = this.#open(table);
    if (subtype === 'AT_AddColumn' && def !== undefined && 'ColumnDef' in def)
      this.#addColumn(table, def.ColumnDef);
    else if (subtype === 'AT_AddConstraint' && def !== undefined && 'Constraint' in def)
      this.#addCheck(table, def.Constraint);
    else if (subtype === 'AT_AlterColumnType' && def !== undefined && 'ColumnDef' in def)
      types.set(name, typeIn(def.ColumnDef));
    else if (subtype === 'AT_DropConstraint') checks.delete(name);
    else if (subtype === 'AT_ValidateConstraint' && checks.has(name))
      checks.set(name, { ...checks.get(name)!, isProven: true });
    else if (subtype === 'AT_DropColumn') {
      types.delete(name);
      for (const [own, { columns }] of checks) if (columns.includes(name)) checks.delete(own);
    }
  }

  #open(key: string): KnownTable {
    const known = this.#tables.get(key) ?? { types: new Map(), checks: new Map() };
    this.#tables.set(key, known);
    return known;
  }

  #addColumn(table: string, column: ColumnDef): void {
    this.#open(table).types.set(column.colname ?? '', typeIn(column));
    for (const each of column.constraints ?? [])
      if ('Constraint' in each) this.#addCheck(table, each.Constraint);
  }

  #addCheck(table: string, { contype, conname, raw_expr, skip_validation }: Constraint): void {
    if (contype !== 'CONSTR_CHECK') return;
    const columns = columnsSaidFilled(raw_expr);
    // The default name in PostgreSQL.
    const name = conname ?? `${table.slice(table.indexOf('.') + 1)}_${columns[0] ?? ''}_check`;
    this.#open(table).checks.set(name, { columns, isProven: skip_validation !== true });
  }

  #rename({
    renameType,
    relation,
    subname = '',
    newname = '',
  }: {
    renameType?: string;
    relation?: RangeVar;
    subname?: string;
    newname?: string;
  }): void {
    const key = this.keyOf(relation);
    const known = this.#tables.get(key);
    if (known === undefined) return;
    if (renameType === 'OBJECT_TABLE') {
      this.#tables.delete(key);
      this.#tables.set(this.keyOf({ ...relation, relname: newname }), known);
    } else if (renameType === 'OBJECT_TABCONSTRAINT') moveKey(known.checks, subname, newname);
    else if (renameType === 'OBJECT_COLUMN') {
      moveKey(known.types, subname, newname);
      for (const [name, check] of known.checks)
        known.checks.set(name, {
          ...check,
          columns: check.columns.map((each) => (each === subname ? newname : each)),
        });
    }
  }

  #setSchema({ name, args }: { name?: string; args?: Node[] }): void {
    const [first] = name === 'search_path' ? (args ?? []) : [];
    const given = first !== undefined && 'A_Const' in first ? first.A_Const.sval?.sval : undefined;
    if (given !== undefined) this.#schema = /^(?:\$user)?$/.test(given) ? standardSchema : given;
  }
}

function moveKey<Value>(map: Map<string, Value>, from: string, to: string): void {
  const value = map.get(from);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}

/** The name of a table in a `DROP` statement. */
export function droppedTable(object: Node): Pick<RangeVar, 'schemaname' | 'relname'> | undefined {
  if (!('List' in object)) return undefined;
  const names = (object.List.items ?? []).map((item) => ('String' in item ? (item.String.sval ?? '') : ''));
  const [relname, schemaname] = names.reverse();
  return { ...(relname !== undefined && { relname }), ...(schemaname !== undefined && { schemaname }) };
}

export function typeIn({ typeName }: ColumnDef): ColumnType {
  const last = typeName?.names?.at(-1);
  const [limit] = typeName?.typmods ?? [];
  return {
    name: last !== undefined && 'String' in last ? (last.String.sval ?? '') : '',
    limit: limit !== undefined && 'A_Const' in limit ? limit.A_Const.ival?.ival : undefined,
  };
}

/** The columns that an expression requires to be not null. */
function columnsSaidFilled(expression: Node | undefined): string[] {
  if (expression === undefined) return [];
  if ('BoolExpr' in expression && expression.BoolExpr.boolop === 'AND_EXPR')
    return (expression.BoolExpr.args ?? []).flatMap(columnsSaidFilled);
  if (!('NullTest' in expression)) return [];
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== 'IS_NOT_NULL' || arg === undefined || !('ColumnRef' in arg)) return [];
  const last = arg.ColumnRef.fields?.at(-1);
  return last !== undefined && 'String' in last ? [last.String.sval ?? ''] : [];
}
