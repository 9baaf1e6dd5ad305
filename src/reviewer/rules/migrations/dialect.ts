import type { TreeView } from '../../repository/tree-view.ts';

/** Syntax that PostgreSQL does not have. */
const foreignSql =
  /`|\bAUTO_INCREMENT\b|\bAUTOINCREMENT\b|\bENGINE\s*=|\bPRAGMA\b|\bNVARCHAR\b|\bDATETIME2?\b|\bMergeTree\b|\bVARCHAR2\b|\bNUMBER\(|^\s*GO\s*$|\[dbo\]|\bMODIFY COLUMN\b|\bCHANGE COLUMN\b/im;
const foreignPath =
  /(?:^|[/._-])(?:mysql|mariadb|sqlite3?|mssql|sqlserver|oracle|clickhouse|cockroach(?:db)?|spanner|duckdb|bigquery|snowflake|d1|libsql|turso)(?:[/._-]|$)/i;
const ownPath = /(?:^|[/._-])(?:postgres(?:ql)?|pg|pgsql|supabase|timescale)(?:[/._-]|$)/i;
const foreignDriver =
  /\bmysql|\bmariadb|sqlite|\bmssql\b|tedious|\boracledb\b|go-mssqldb|\bclickhouse\b|@libsql|@planetscale|\bspanner\b|\bMySqlConnector\b/i;
const manifests = [
  'package.json',
  'go.mod',
  'pyproject.toml',
  'requirements.txt',
  'Cargo.toml',
  'Gemfile',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
];
const maxFolders = 20;

/** Whether a migration is for PostgreSQL: it is, unless the file, its path or the manifests around it say otherwise. */
export async function isForPostgres(
  path: string,
  text: string,
  tree: TreeView | undefined,
): Promise<boolean> {
  if (path.endsWith('.sql') && foreignSql.test(text.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, ''))) return false;
  if (foreignPath.test(path)) return false;
  if (ownPath.test(path) || tree === undefined) return true;
  const folders = foldersAbove(path);
  const paths = await tree.paths();
  const lock = folders.map((folder) => `${folder}migration_lock.toml`).find((name) => paths.has(name));
  if (lock !== undefined) return /provider\s*=\s*["']?postgres/i.test((await tree.read(lock)) ?? '');
  const near = folders
    .flatMap((folder) => manifests.map((name) => `${folder}${name}`))
    .filter((name) => paths.has(name));
  const said = (await Promise.all(near.map((name) => tree.read(name)))).join('\n');
  // With drivers for several databases, it cannot be decided. Indirect dependencies do not count.
  return !foreignDriver.test(said.replaceAll(/^.*\/\/ indirect$/gm, ''));
}

/** The folder of a file and those above it, as prefixes of paths, the nearest first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.keys(), parts.length]
    .reverse()
    .slice(0, maxFolders)
    .map((count) =>
      parts
        .slice(0, count)
        .map((part) => `${part}/`)
        .join(''),
    );
}
