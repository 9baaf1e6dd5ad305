/** Guesses about names from a single line: for languages whose references are not resolved, and only to collect context. */

const words =
  /\b(?:function|def|class|interface|type|enum|struct|trait|fn|func|fun|sub|module|object|record|union|namespace|protocol|macro_rules!|typedef|impl|const|let|var|val|static)\b/;
const statement =
  /^\s*(?:return|throw|raise|yield|await|else|case|new|delete|import|from|export \{|use|package|if|while|for|switch|#include)\b/;

/** Whether the line looks like a definition of the name. */
export function definesName(line: string, name: string): boolean {
  const at = line.search(wordTest(name));
  if (at === -1 || /^\s*(?:\/\/|\*|#(?!define))/.test(line)) return false;
  const [before, after] = [line.slice(0, at), line.slice(at + name.length)];
  if (/^\s*#\s*define\s+$/.test(before)) return true;
  if (statement.test(line)) return false;
  // `function load`, `class Cart`, `func (c *Cart) total`, `const load =`
  const word = words.exec(before);
  if (word !== null && /^(?:[\s*&<>\w:]*|\s*\([^)]*\)\s*)$/.test(before.slice(word.index + word[0].length)))
    return true;
  // `  total(a, b) {` and `  public int total(int a) {`
  const isBody = /^\s*(?:<[^>]*>)?\s*\([^;]*\)?[^;]*\{\s*$/.test(after);
  return isBody && /^\s*(?:[\w<>,[\]:&*?@~ ]*[\s*&])?$/.test(before);
}

export function wordTest(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`);
}

const keywords = new Set(
  (
    'if else for while do switch case return break continue function class const let var new delete typeof instanceof in of import export from default ' +
    'async await yield try catch finally throw this super null undefined true false void static public private protected readonly abstract final ' +
    'interface type enum extends implements def lambda pass raise except with as is not and or None True False self cls elif global nonlocal assert ' +
    'func fn mut pub impl trait struct match where use mod crate package go defer chan map range select fallthrough nil int string bool byte error ' +
    'end begin module require unless then foreach echo print include namespace using virtual override template typename operator sizeof auto'
  ).split(' '),
);

/** The names of at least three characters in a line of code, without keywords: those that it calls, and the others. */
export function namesIn(line: string): { readonly called: string[]; readonly others: string[] } {
  const code = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""').replace(/\/\/.*$|#\s.*$/, '');
  const called: string[] = [];
  const others: string[] = [];
  for (const found of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const [name] = found;
    if (name.length < 3 || keywords.has(name)) continue;
    (/^\s*(?:<[^<>()]*>)?\(/.test(code.slice(found.index + name.length)) ? called : others).push(name);
  }
  return { called, others };
}
