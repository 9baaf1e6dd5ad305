const FRAGMENT_LENGTH = 12;

/** Whether twelve consecutive characters of the secret (all of it, if it is shorter) are still in the text. */
export function survives(secret: string, text: string): boolean {
  const length = Math.min(FRAGMENT_LENGTH, secret.length);
  for (let start = 0; start + length <= secret.length; start += 1) {
    if (text.includes(secret.slice(start, start + length))) return true;
  }
  return false;
}
