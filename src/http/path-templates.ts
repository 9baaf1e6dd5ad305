/** A pattern that matches every URL path of a path template such as `/v1/roles/{id}`. */
export function pathMatcher(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

const isParameter = (word: string) => word.startsWith('{');

/** Whether one template wins where both match: the first fixed word decides, as it does for the router. */
function winsOver(template: string, other: string): boolean {
  const words = template.split('/');
  const others = other.split('/');
  if (words.length !== others.length) return false;
  const pairs = words.map((word, index) => [word, others[index]!] as const);
  const canBothMatch = pairs.every(([one, two]) => one === two || isParameter(one) || isParameter(two));
  const deciding = pairs.find(([one, two]) => isParameter(one) !== isParameter(two));
  return canBothMatch && deciding !== undefined && isParameter(deciding[1]);
}

/** Finds the templates that a path belongs to: where one has a fixed word and matches, those with a parameter there do not count. */
export function templateFinder(templates: readonly string[]): (path: string) => readonly string[] {
  const matchers = templates.map((template) => ({ template, pattern: pathMatcher(template) }));
  return (path) => {
    const matching = matchers.filter(({ pattern }) => pattern.test(path)).map(({ template }) => template);
    return matching.filter((template) => !matching.some((other) => winsOver(other, template)));
  };
}

/** The templates that another one takes paths from. */
export function contestedTemplates(templates: readonly string[]): ReadonlySet<string> {
  return new Set(templates.filter((template) => templates.some((other) => winsOver(other, template))));
}
