/** The names that CODEOWNERS can use for a team: its name, or the slug that GitHub derives from it. In lower case. */
export function teamSpellings(group: string, name: string): string[] {
  const lower = name.toLowerCase();
  const short = lower.replaceAll(/[^a-z0-9_/]+/g, '-').replaceAll(/^-|-$/g, '');
  return [...new Set([lower, short])].map((team) => `@${group.toLowerCase()}/${team}`);
}
