import { linesOf, type SqlStatement, splitStatements } from './split-statements.ts';

const block = /^do\s(?:\s*language\s+\w+\s)?\s*(\$\w*\$)/i;
const comments = String.raw`(?:\s|--[^\n]*\n)`;
/** Words of PL/pgSQL after which a statement begins. */
const opening = String.raw`\b(?:begin|then|else|loop)${comments}+`;
/** `EXECUTE` with a literal that has no parameters. */
const executed = /^execute\s+'((?:[^']|'')*)'$/i;

/** The statements in a block `DO $$ … $$`, each from its first wanted keyword on. Any other statement is returned as it is. */
export function statementsIn(statement: SqlStatement, wanted: RegExp): SqlStatement[] {
  const tag = block.exec(statement.text);
  if (tag === null) return [statement];
  const start = tag[0].length;
  const end = statement.text.indexOf(tag[1]!, start);
  const lines = statement.line - 1 + linesOf(statement.text.slice(0, start));
  const begins = new RegExp(`${opening}(?=${wanted.source.replace(/^\^/, '')}|execute\\s)`, 'i');
  return splitStatements(statement.text.slice(start, end === -1 ? undefined : end)).map((each) => {
    const found = begins.exec(each.text);
    const at = found === null ? 0 : found.index + found[0].length;
    const text = each.text.slice(at);
    const given = executed.exec(text)?.[1];
    return {
      text: given === undefined ? text : given.replaceAll("''", "'"),
      line: lines + each.line + linesOf(each.text.slice(0, at)),
      endLine: lines + each.endLine,
      comments: statement.comments + each.comments,
    };
  });
}
