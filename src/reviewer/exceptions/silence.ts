/** Whether the repository has turned off a rule for a file. */
export type Silence = (path: string, rule: string) => boolean;

/** The texts of a list, or the only one; what else stands there is left out. */
export function textsOf(value: unknown): string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string');
}
