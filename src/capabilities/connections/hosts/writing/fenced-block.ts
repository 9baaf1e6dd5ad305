/** A fenced block of code whose fence is longer than any in its content, so that the content cannot end it. */
export function fencedBlock(language: string, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code === '' ? '' : `${code}\n`}${fence}`;
}
