/** SQL of the up direction of a migration, and where it is in the file. */
export interface MigrationSql {
  readonly sql: string;
  /** The number of lines before it. */
  readonly offset: number;
}

const folders = /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\//i;
const flyway = /(?:^|\/)V\d[\w.]*__[^/]+\.sql$/;
const wayBack =
  /(?:^|[./_-])(?:down|undo|rollback|revert)\.sql$|(?:^|\/)U\d[\w.]*__|(?:^|\/)(?:down|undo|rollback)\//i;
/** The start of the down direction, in files of tools that have both directions in one. */
const downMark = /^--\s*(?:\+goose Down|\+migrate Down|migrate:down|\+micrate Down|rollback)\b/im;
const script = /\.(?:py|[cm]?[jt]s)$/;
/** Calls that take SQL, of Django, Alembic, Knex, node-pg-migrate and TypeORM. */
const call =
  /\b(?:RunSQL|op\.execute|knex\.(?:schema\.)?raw|trx\.raw|pgm\.sql|queryRunner\.query)\(\s*(?:sql\s*=\s*)?(r?)("""|'''|"|'|`)/g;
const wayBackInScript =
  /^(?:exports\.down\b|export\s+(?:async\s+)?(?:function|const)\s+down\b|module\.exports\.down\b|def downgrade\b|\s*(?:public\s+)?async down\s*\()/m;
/** In characters; longer ones contain data. */
export const maxMigration = 1_000_000;

export function isMigration(path: string): boolean {
  if (path.endsWith('.sql')) return (folders.test(path) || flyway.test(path)) && !wayBack.test(path);
  return (
    script.test(path) &&
    folders.test(path) &&
    !/(?:^|\/)(?:__init__|env)\.py$|\.(?:test|spec|d)\.[cm]?[jt]s$/.test(path)
  );
}

/** The common prefix of the paths of all migrations that belong together with this one. */
export function migrationRoot(path: string): string {
  const folder = folders.exec(path);
  return folder === null
    ? path.slice(0, path.lastIndexOf('/') + 1)
    : path.slice(0, folder.index + folder[0].length);
}

/** The SQL in a migration; in a program, the literals in calls that run SQL. */
export function sqlIn(path: string, text: string): MigrationSql[] {
  if (path.endsWith('.sql')) return [{ sql: text.slice(0, downMark.exec(text)?.index), offset: 0 }];
  const up = text.slice(0, wayBackInScript.exec(text)?.index);
  return [...up.matchAll(call)].flatMap((found) => {
    const start = found.index + found[0].length;
    const quote = found[2]!;
    const end = endOf(up, start, quote);
    if (end === -1) return [];
    const sql = up.slice(start, end);
    // Values that are inserted at run time, by the program or by Knex, are not known.
    if ((quote === '`' && sql.includes('${')) || sql.includes('??')) return [];
    return [
      {
        sql: found[1] === 'r' ? sql : sql.replaceAll(/\\(['"`])/g, '$1'),
        offset: up.slice(0, start).split('\n').length - 1,
      },
    ];
  });
}

function endOf(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1))
    if (text[at - 1] !== '\\') return at;
  return -1;
}
