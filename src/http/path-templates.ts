/** A pattern that matches every URL path of a path template such as `/v1/roles/{id}`. */
export function pathMatcher(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

const isParameter = (word: string) => word.startsWith('{');

/** A path template, split once: at the start, a server compares each of hundreds with all others. */
interface Template {
  readonly text: string;
  readonly words: readonly string[];
}

const templateOf = (text: string): Template => ({ text, words: text.split('/') });

/** Whether a template takes precedence over another one where both match: the first fixed word decides, as in the router. */
function winsOver({ words }: Template, { words: others }: Template): boolean {
  if (words.length !== others.length) return false;
  let wins: boolean | undefined;
  for (const [index, word] of words.entries()) {
    const other = others[index]!;
    if (word === other) continue;
    const isFixed = !isParameter(word);
    const isOtherFixed = !isParameter(other);
    if (isFixed && isOtherFixed) return false;
    if (isFixed !== isOtherFixed) wins ??= isFixed;
  }
  return wins === true;
}

/**
 * Returns a function that finds the templates of a path. If a template has a fixed word where another one has a parameter,
 * only the former is returned.
 */
export function templateFinder(templates: readonly string[]): (path: string) => readonly string[] {
  const matchers = templates.map((text) => ({ ...templateOf(text), pattern: pathMatcher(text) }));
  return (path) => {
    const matching = matchers.filter(({ pattern }) => pattern.test(path));
    return matching
      .filter((template) => !matching.some((other) => winsOver(other, template)))
      .map(({ text }) => text);
  };
}

/** The templates on whose paths another template can take precedence. */
export function contestedTemplates(templates: readonly string[]): ReadonlySet<string> {
  const all = templates.map(templateOf);
  return new Set(
    all.filter((template) => all.some((other) => winsOver(other, template))).map(({ text }) => text),
  );
}
