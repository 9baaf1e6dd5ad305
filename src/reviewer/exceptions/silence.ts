/** Whether the repository has turned off a rule for a file. */
export type Silence = (path: string, rule: string) => boolean;

/** The strings in a list, or a single string as a list; other values are left out. */
export function textsOf(value: unknown): string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string');
}
