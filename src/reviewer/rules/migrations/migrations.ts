import type { ChangedFile } from '../../change/change.ts';
import { isExample, isFixture, isTest, isVendored } from '../../change/file-kinds.ts';
import { overlapTest } from '../../judge/new-findings.ts';
import type { ChangeRuleSource, ChangeSides, Comparison, PlacedFinding } from '../../rule-source.ts';
import { describeFinding } from '../rule-facts.ts';
import { isForPostgres } from './dialect.ts';
import { learnEarlier, type ReadFile } from './earlier-migrations.ts';
import { lineFinder } from './fault-line.ts';
import { faultsOf, MadeHere, type StatementFault } from './migration-faults.ts';
import { isMigration, maxMigration } from './migration-files.ts';
import { effects, migrationTable, waitOf } from './migration-table.ts';
import { type ParsedStatement, readMigration } from './read-migration.ts';

const ignored = /\b(?:postil-ignore|squawk-ignore|safety-assured)\b/;
/** Rules for PostgreSQL migrations: finds statements that block running programs, rewrite tables or lose data. */
export const migrations: ChangeRuleSource = {
  name: 'migrations',
  covers: isMigration,
  async compare(sides: ChangeSides, _reviews, signal): Promise<Comparison> {
    const tree = sides.hasRepository ? sides.head : undefined;
    const read: ReadFile[] = [];
    const notes: string[] = [];
    const note = (path: string, why: string) =>
      notes.push(`Not checked as a PostgreSQL migration: ${path}, because ${why}`);
    for (const file of migrationsIn(sides.change.files)) {
      signal.throwIfAborted();
      const text = await file.newText();
      if (file.missing === 'too_large' || (text?.length ?? 0) > maxMigration)
        note(file.path, 'it is larger than 1 MB');
      else if (text !== undefined && (await isForPostgres(file.path, text, tree))) {
        const statements = await readMigration(file.path, text);
        if ('fault' in statements) note(file.path, `line ${statements.fault} could not be parsed`);
        else read.push({ file, statements });
      }
    }
    const made = new MadeHere();
    if (sides.hasRepository) await learnEarlier(made.known, read, sides, signal);
    const findings = read.flatMap(({ file, statements }) => {
      made.known.beginFile();
      return findingsIn(file, statements, made);
    });
    return { findings, unread: [], notes, report: {} };
  },
};

function migrationsIn(files: readonly ChangedFile[]): ChangedFile[] {
  return files
    .filter(
      ({ path, kind }) =>
        isMigration(path) &&
        kind !== 'deleted' &&
        ![isTest, isFixture, isExample, isVendored].some((isOther) => isOther(path)),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function findingsIn(
  file: ChangedFile,
  statements: readonly ParsedStatement[],
  made: MadeHere,
): PlacedFinding[] {
  const isAdded = overlapTest(file.addedLines);
  const found: { readonly fault: StatementFault; readonly line: number }[] = [];
  for (const statement of statements) {
    const faults = faultsOf(statement.node, made);
    if (ignored.test(statement.comments) || !isAdded(statement.line, statement.endLine)) continue;
    if (faults.length === 0) continue;
    const lineOf = lineFinder(statement);
    for (const fault of faults) found.push({ fault, line: lineOf(fault) });
  }
  return found
    .filter(({ fault }) => !isStillThere(fault, made))
    .map(({ fault: { rule, table: key }, line }) => {
      const table = key.replace(/^public\./, '');
      const wait = waitOf(effects[rule]);
      const said = wait === '' ? `The table is \`${table}\`` : `While this runs, \`${table}\` ${wait}`;
      return {
        ...describeFinding(migrationTable[rule], said),
        rule: `migrations/${rule}`,
        path: file.path,
        side: 'new',
        startLine: line,
        endLine: line,
      };
    });
}

/** Whether the change gives the old name to something else. */
function isStillThere({ rule, table, near }: StatementFault, made: MadeHere): boolean {
  if (rule === 'rename-column') return made.columns.has(`${table}.${near ?? ''}`);
  return rule === 'rename-table' && (made.views.has(table) || made.tables.has(table));
}
