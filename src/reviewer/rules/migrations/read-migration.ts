import type { Node } from 'libpg-query';
import { statementsIn } from './blocks-of-statements.ts';
import { sqlIn } from './migration-files.ts';
import { type SqlStatement, splitStatements } from './split-statements.ts';

/** Statements that the rules check, or that create what they check. Statements that only change data are not parsed. */
const relevant =
  /^(?:alter\s+table|create\s+(?:unique\s+)?index|create\s+(?:(?:global|local)\s+)?(?:temp(?:orary)?\s+|unlogged\s+)?table|create\s+(?:or\s+replace\s+)?(?:materialized\s+)?view|drop\s+table|truncate|cluster|vacuum)\b/i;
/** Data statements that create or empty a table, and `SET search_path`. If one of these cannot be parsed, it is ignored. */
const making = /^(?:delete\s+from|select\b[\s\S]*?\binto|set\s+(?:(?:local|session)\s+)?search_path)\b/i;
/** Longer statements are not written by hand. */
const maxStatement = 100_000;
const maxStatements = 5_000;

export interface ParsedStatement extends SqlStatement {
  readonly node: Node;
}

/** Parses the relevant statements of a migration; `fault` is the line of a statement that is not PostgreSQL's SQL. */
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
      // A block can build a statement at run time, so its text need not be complete.
      if (!statement.mayFail) return { fault: statement.line };
    }
  }
  return parsed;
}
