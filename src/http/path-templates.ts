/** A pattern that matches every URL path of a path template such as `/v1/roles/{id}`. */
export function pathMatcher(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

const isParameter = (word: string) => word.startsWith('{');

/** A path template, taken apart once: a server compares each of hundreds with all others when it starts. */
interface Template {
  readonly text: string;
  readonly words: readonly string[];
}

const templateOf = (text: string): Template => ({ text, words: text.split('/') });

/** Whether one template wins where both match: the first fixed word decides, as it does for the router. */
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

/** Finds the templates that a path belongs to: where one has a fixed word and matches, those with a parameter there do not count. */
export function templateFinder(templates: readonly string[]): (path: string) => readonly string[] {
  const matchers = templates.map((text) => ({ ...templateOf(text), pattern: pathMatcher(text) }));
  return (path) => {
    const matching = matchers.filter(({ pattern }) => pattern.test(path));
    return matching
      .filter((template) => !matching.some((other) => winsOver(other, template)))
      .map(({ text }) => text);
  };
}

/** The templates that another one takes paths from. */
export function contestedTemplates(templates: readonly string[]): ReadonlySet<string> {
  const all = templates.map(templateOf);
  return new Set(
    all.filter((template) => all.some((other) => winsOver(other, template))).map(({ text }) => text),
  );
}
