/** How CODEOWNERS names a team: by its name, or by what GitHub makes of it for addresses. In lower case. */
export function teamSpellings(group: string, name: string): string[] {
  const lower = name.toLowerCase();
  const short = lower.replaceAll(/[^a-z0-9_/]+/g, '-').replaceAll(/^-|-$/g, '');
  return [...new Set([lower, short])].map((team) => `@${group.toLowerCase()}/${team}`);
}
