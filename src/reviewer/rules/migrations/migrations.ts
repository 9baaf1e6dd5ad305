import type { Node } from 'libpg-query';
import type { ChangedFile } from '../../change/change.ts';
import { isExample, isFixture, isTest, isVendored } from '../../change/file-kinds.ts';
import { overlapTest } from '../../judge/new-findings.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { describeFinding } from '../rule-facts.ts';
import type { ChangeRuleSource, ChangeSides, Comparison, PlacedFinding } from '../rule-source.ts';
import { statementsIn } from './blocks.ts';
import { isForPostgres } from './dialect.ts';
import { lineFinder } from './fault-line.ts';
import { faultsOf, MadeHere, type StatementFault } from './faults.ts';
import { isMigration, sqlIn } from './migration-files.ts';
import { effects, migrationTable, waitOf } from './migration-table.ts';
import { type SqlStatement, splitStatements } from './split-statements.ts';

/** Statements that rules are about, or that make what they are about; data is not read. */
const relevant =
  /^(?:alter\s+table|create\s+(?:unique\s+)?index|create\s+(?:(?:global|local)\s+)?(?:temp(?:orary)?\s+|unlogged\s+)?table|create\s+(?:or\s+replace\s+)?(?:materialized\s+)?view|drop\s+table|truncate|cluster|vacuum)\b/i;
/** Data that makes or empties a table; what else is done to data is not looked at, whatever it says. */
const making = /^(?:delete\s+from|select\b[\s\S]*?\binto)\b/i;
const ignored = /\b(?:postil-ignore|squawk-ignore|safety-assured)\b/;
/** Nobody writes a longer one by hand. */
const maxStatement = 100_000;
const maxStatements = 5_000;

/** Rules for migrations of PostgreSQL: what locks, rewrites or loses data of those who are running. */
export const migrations: ChangeRuleSource = {
  name: 'migrations',
  covers: isMigration,
  async compare({ change, head, hasRepository }: ChangeSides, _reviews, signal): Promise<Comparison> {
    const files = change.files
      .filter(
        ({ path, kind }) =>
          isMigration(path) &&
          kind !== 'deleted' &&
          ![isTest, isFixture, isExample, isVendored].some((isOther) => isOther(path)),
      )
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const made = new MadeHere();
    const findings: PlacedFinding[] = [];
    const notes: string[] = [];
    for (const file of files) {
      signal.throwIfAborted();
      const text = await file.newText();
      if (text === undefined || !(await isForPostgres(file.path, text, hasRepository ? head : undefined)))
        continue;
      const read = await readMigration(file.path, text);
      if ('fault' in read)
        notes.push(`Not read as a migration of PostgreSQL: ${file.path}, because of line ${read.fault}`);
      else findings.push(...(await findingsIn(file, read, made, hasRepository ? head : undefined)));
    }
    return { findings, unread: [], notes, report: {} };
  },
};

interface ParsedStatement extends SqlStatement {
  readonly node: Node;
}

/** What a migration does, statement by statement; the line that is not of PostgreSQL, if there is one. */
export async function readMigration(
  path: string,
  text: string,
): Promise<ParsedStatement[] | { readonly fault: number }> {
  const statements = sqlIn(path, text).flatMap(({ sql, offset }) =>
    splitStatements(sql).map((each) => ({
      ...each,
      line: each.line + offset,
      endLine: each.endLine + offset,
    })),
  );
  const wanted = statements
    .filter(({ text }) => text.length <= maxStatement)
    .flatMap((statement) => {
      const inner = statementsIn(statement, relevant).filter(
        ({ text }) => relevant.test(text) || making.test(text),
      );
      return inner.map((each) => ({ ...each, mayFail: each !== statement || making.test(each.text) }));
    })
    .slice(0, maxStatements);
  if (wanted.length === 0) return [];
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  const parsed: ParsedStatement[] = [];
  for (const statement of wanted) {
    try {
      const node = parseSync(statement.text).stmts?.[0]?.stmt;
      if (node !== undefined) parsed.push({ ...statement, node });
    } catch {
      // A block may put a statement together that is none yet.
      if (!statement.mayFail) return { fault: statement.line };
    }
  }
  return parsed;
}

async function findingsIn(
  file: ChangedFile,
  statements: readonly ParsedStatement[],
  made: MadeHere,
  tree: TreeView | undefined,
): Promise<PlacedFinding[]> {
  const isAdded = overlapTest(file.addedLines);
  const found: { readonly fault: StatementFault; readonly line: number }[] = [];
  for (const statement of statements) {
    const faults = faultsOf(statement.node, made);
    if (ignored.test(statement.comments) || !isAdded(statement.line, statement.endLine)) continue;
    if (faults.length === 0) continue;
    const lineOf = lineFinder(statement);
    for (const fault of faults)
      if (!(await isProven(fault, tree))) found.push({ fault, line: lineOf(fault) });
  }
  return found
    .filter(({ fault }) => !isStillThere(fault, made))
    .map(({ fault: { rule, table }, line }) => {
      const wait = waitOf(effects[rule]);
      const said =
        wait === '' ? `It is about \`${table}\`` : `Until \`${table}\` has been worked through, ${wait}`;
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

/** Whether something else has the old name by the end of the change. */
function isStillThere({ rule, table, near }: StatementFault, made: MadeHere): boolean {
  if (rule === 'rename-column') return made.columns.has(`${table}.${near ?? ''}`);
  return rule === 'rename-table' && (made.views.has(table) || made.tables.has(table));
}

/** Whether a check of an earlier migration says that the column is filled, so that PostgreSQL need not look. */
async function isProven({ rule, near }: StatementFault, tree: TreeView | undefined): Promise<boolean> {
  if (rule !== 'set-not-null' || near === undefined || tree === undefined) return false;
  const { lines } = await tree.findLines([near], { asWords: true, ignoresCase: true, pathspecs: ['*.sql'] });
  return lines.some(({ text }) => /\bcheck\b.*\bis\s+not\s+null\b/i.test(text));
}
