import { isJoinedFromWords, readsLikeName } from './letter-pairs.ts';
import type { Assignment } from './read-assignment.ts';
import { kindOfName, type NameKind } from './secret-names.ts';
import { HOLDS_UUID, looksRandom } from './value-shape.ts';

/**
 * Whether the value shows that it is not a secret. A value assigned to a password or a secret may consist of words. A comma, a
 * bracket or a space joins less tightly, and `key` alone says less: there, a value that reads like a name is one.
 */
export function isObviouslyNoSecret(kind: NameKind, assignment: Assignment, text: string): boolean {
  const { joint, value } = assignment;
  if (isSyntax(kind, value)) return true;
  if (joint === 'list' && isListed(assignment, text)) return true;
  if (joint === 'space' && isFollowing(assignment, text)) return true;
  if (kind === 'password') return false;
  if (kind === 'secret') return (joint === 'list' || joint === 'space') && readsLikeName(value);
  if (joint !== 'tag' && isOfHarmlessOwner(assignment, text)) return true;
  if (isJoinedFromWords(value) && !HOLDS_UUID.test(value)) return true;
  return !isShellVariable(assignment) && readsLikeName(value);
}

/** `DB_PASSWORD=word`: in a shell or a settings file, a bare word on the right is not a variable. */
export function isShellVariable({ name, tight }: Assignment): boolean {
  return tight && /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** `AbpAccount::ForgotPassword`, `required|min:`, `items[0].name`: words joined by the punctuation of code or of a path. */
function isSyntax(kind: NameKind, value: string): boolean {
  const isJoined =
    kind === 'password'
      ? /^(?!pass:)[A-Za-z:/|."=_-]+$/.test(value) && /[:/|=]/.test(value)
      : /\w\[\w{1,20}\]|\w\(\w{0,40}\)/.test(value);
  return isJoined && readsLikeName(value);
}

/**
 * Among arguments, a literal is quoted and a name is not. If a colon follows the closing quote, the value is the name of the next
 * one.
 */
function isListed({ name, value, valueStart, quoted }: Assignment, text: string): boolean {
  const end = valueStart + value.length;
  if (/(?:tokens|secrets|keys|passwords)$/i.test(name)) return true; // many of them: a table, a column, a list
  if (quoted) return /^\\?["'`][ \t]{0,3}(?::|=>)/.test(text.slice(end, end + 8));
  const before = text.slice(Math.max(0, valueStart - 20), valueStart).trimEnd();
  if (before.endsWith('|')) return false; // a cell of a table
  return !/^[A-Za-z0-9+/=-]+$/.test(value) || !looksRandom(value, 20, 3.5) || readsLikeName(value);
}

/** `show-auth-key 6f1c…` asks for the key of the object with this UUID; `"db-password" "length"` are arguments. */
function isFollowing({ name, nameStart, value, quoted }: Assignment, text: string): boolean {
  if (!quoted) return /^\w.*[_.-]/.test(name) && HOLDS_UUID.test(value);
  const isNameQuoted = /["'`]/.test(text[nameStart + name.length] ?? '');
  return isNameQuoted && (!looksRandom(value, 12) || readsLikeName(value));
}

/** `Public Key = x`, `the partition key: x`: the word before tells what kind of key it is. */
function isOfHarmlessOwner({ name, nameStart }: Assignment, text: string): boolean {
  const owner = /[A-Za-z]{3,20}(?= $)/.exec(text.slice(Math.max(0, nameStart - 21), nameStart))?.[0];
  return owner !== undefined && /^[A-Za-z]+$/.test(name) && kindOfName(`${owner} ${name}`) === undefined;
}
