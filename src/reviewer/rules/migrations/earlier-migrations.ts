import type { Node } from 'libpg-query';
import type { ChangedFile } from '../../change/change.ts';
import type { ChangeSides } from '../../rule-source.ts';
import type { KnownTables } from './known-tables.ts';
import { isMigration, maxMigration, migrationRoot } from './migration-files.ts';
import { type ParsedStatement, readMigration } from './read-migration.ts';

/** A migration of the change, with its statements. */
export interface ReadFile {
  readonly file: ChangedFile;
  readonly statements: readonly ParsedStatement[];
}

const maxFiles = 200;
/** Alterations whose effect depends on the earlier state of the table. */
const telling: ReadonlySet<string> = new Set(['AT_SetNotNull', 'AT_AlterColumnType']);

/** Reads earlier migrations to learn the state of the tables for which it matters. */
export async function learnEarlier(
  known: KnownTables,
  read: readonly ReadFile[],
  { base, change }: ChangeSides,
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(read.flatMap(({ statements }) => statements.flatMap(({ node }) => askedFor(node))));
  if (names.size === 0) return;
  const { lines } = await base.findLines([...names], {
    asWords: true,
    ignoresCase: true,
    pathspecs: ['*.sql'],
  });
  const roots = new Set(read.map(({ file }) => migrationRoot(file.path)));
  const touched = new Set(change.files.flatMap(({ path, oldPath }) => [path, oldPath]));
  const paths = [...new Set(lines.map(({ path }) => path))]
    .filter((path) => isMigration(path) && !touched.has(path) && roots.has(migrationRoot(path)))
    .sort();
  for (const path of paths.slice(-maxFiles)) {
    signal.throwIfAborted();
    const text = await base.read(path);
    const statements =
      text === undefined || text.length > maxMigration ? [] : await readMigration(path, text);
    known.beginFile();
    if (!('fault' in statements)) for (const { node } of statements) known.apply(node);
  }
}

/** The names of tables whose earlier state matters for a statement. */
function askedFor(node: Node): string[] {
  if ('CreateStmt' in node) {
    const { relation, if_not_exists } = node.CreateStmt;
    return if_not_exists === true ? [relation?.relname ?? ''] : [];
  }
  if (!('AlterTableStmt' in node)) return [];
  const { relation, cmds } = node.AlterTableStmt;
  const isTelling = (cmds ?? []).some(
    (each) => 'AlterTableCmd' in each && telling.has(each.AlterTableCmd.subtype ?? ''),
  );
  return isTelling ? [relation?.relname ?? ''] : [];
}
