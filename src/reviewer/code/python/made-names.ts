/** A text that is given to `exec`, as `exec("…")` or, formerly, `exec "…"`. */
const executedText = /\bexec\s*\(?\s*[rRuUbB]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/g;
const definedName = /^\s*(?:(?:async\s+)?def|class)\s+(\w+)|^\s*(\w+)\s*=(?!=)/gm;
/** What else makes names of a module while it runs: `exec` of who knows what in its own names, and writing to them. */
const makesNames =
  /^(?:def )?__getattr__\b|^[ \t]*exec\b(?![^\n]*(?:,|\bin\b)(?![^\n]*(?:globals|locals|vars)\(\)))|^__path__\b|\b(?:globals|locals|vars)\(\)\s*(?:\[|\.update)|(?:=|[(,])\s*globals\(\)\s*(?:[,)]|$)|\bsetattr\(\s*sys\.modules|\bsys\.modules\[__name__\]/m;

/** The names that texts give which a module executes, with their lines; and whether it makes others that nobody can tell. */
export function madeNames(text: string): {
  readonly names: readonly { readonly name: string; readonly line: number }[];
  readonly isOpen: boolean;
} {
  const names: { name: string; line: number }[] = [];
  const rest = text.replace(executedText, (whole, literal: string, offset: number) => {
    const line = text.slice(0, offset).split('\n').length;
    for (const [, defined, assigned] of literal.replace(/^['"]+/, '').matchAll(definedName))
      names.push({ name: (defined ?? assigned)!, line });
    // What is executed counts as told, whatever follows it on its line.
    return `pass${'\n'.repeat(whole.split('\n').length - 1)}`;
  });
  return { names, isOpen: makesNames.test(rest) };
}
