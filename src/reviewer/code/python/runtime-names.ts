/** A string literal that is passed to `exec`, as `exec("…")` or, in Python 2, `exec "…"`. */
const executedText = /\bexec\s*\(?\s*[rRuUbB]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/g;
const definedName = /^\s*(?:(?:async\s+)?def|class)\s+(\w+)|^\s*(\w+)\s*=(?!=)/gm;
/** Other code that creates names of a module at run time: `exec` of other texts in its namespace, and writes to that. */
const makesNames =
  /^(?:def )?__getattr__\b|^[ \t]*exec\b(?![^\n]*(?:,|\bin\b)(?![^\n]*(?:globals|locals|vars)\(\)))|^__path__\b|\b(?:globals|locals|vars)\(\)\s*(?:\[|\.update)|(?:=|[(,])\s*globals\(\)\s*(?:[,)]|$)|\bsetattr\(\s*sys\.modules|\bsys\.modules\[__name__\]/m;

/** The names that executed string literals define, with their lines. `isOpen`: the module may create other, unknown names. */
export function runtimeNames(text: string): {
  readonly names: readonly { readonly name: string; readonly line: number }[];
  readonly isOpen: boolean;
} {
  const names: { name: string; line: number }[] = [];
  const rest = text.replace(executedText, (whole, literal: string, offset: number) => {
    const line = text.slice(0, offset).split('\n').length;
    for (const [, defined, assigned] of literal.replace(/^['"]+/, '').matchAll(definedName))
      names.push({ name: (defined ?? assigned)!, line });
    // Removes the call, so that `makesNames` does not match it, whatever follows on its line.
    return `pass${'\n'.repeat(whole.split('\n').length - 1)}`;
  });
  return { names, isOpen: makesNames.test(rest) };
}
