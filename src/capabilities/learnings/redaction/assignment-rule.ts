import { statisticsOf } from './character-statistics.ts';
import { type Assignment, endOfValue } from './read-assignment.ts';
import { isReference, isTemplate } from './reference-value.ts';
import type { Rule } from './rule.ts';
import { kindOfName, NAME_KEYWORDS, type NameKind } from './secret-names.ts';
import { isDottedName, isFiller, isIdentifierOrDigest, looksRandom } from './value-shape.ts';

const ID = 'secret-assignment';

/** Finds values given to names that say they are secret, unless the value shows that it is none. */
export const assignmentRule: Rule = {
  id: ID,
  keywords: NAME_KEYWORDS,
  find(scan, start, end) {
    if (scan.isDone(ID, start)) return;
    const assignment = scan.nextAssignmentAt(start, end);
    if (assignment === undefined) return;
    const { name, value, valueStart, quoted } = assignment;
    // A chain such as `a1=b1=c1=d1` is judged once, not again from each of its names.
    if (!quoted && value.includes('=')) scan.markDone(ID, valueStart + value.length);
    if (!isWorthJudging(assignment)) return;
    const kind = kindOfName(name);
    if (kind === undefined || !holdsSecret(kind, assignment, scan.text)) return;
    scan.report(valueStart, endOfValue(scan.text, assignment));
  },
};

/** Most values that follow such a name are words of a sentence or of code; this sorts them out at little cost. */
function isWorthJudging({ name, value, quoted, tight, isCall, isInPath }: Assignment): boolean {
  if (isCall || value.length < 4 || /\s/.test(value)) return false;
  // `PUT /users/password: 204NoContent` speaks about an address.
  if (isInPath && !quoted && !tight && !looksRandom(value, 13)) return false;
  if (!/p(?:ass|w)/i.test(name)) return looksRandom(value) || (quoted && hasTellingSymbols(value));
  return (quoted || tight || value.length >= 16 || !/^[A-Za-z_.-]+$/.test(value)) && !isRepetition(value);
}

function holdsSecret(kind: NameKind, assignment: Assignment, text: string): boolean {
  const { value, quoted, joint } = assignment;
  if (kind === 'password' && isInPairs(assignment, text)) return !isTemplate(value);
  if (joint === 'list' && !looksRandom(value, 12)) return false;
  if (kind === 'password' && /^[0-9]{6,40}$/.test(value)) return joint !== 'space';
  if (joint === 'space' && !canFollowSpace(kind, assignment, text)) return false;
  return isLikely(kind, assignment) && !isReference(value) && !(isDottedName(value) && !quoted);
}

function isLikely(kind: NameKind, assignment: Assignment): boolean {
  const { value, quoted } = assignment;
  switch (kind) {
    case 'password':
      return isPassword(assignment);
    case 'secret':
      return looksRandom(value) || (quoted && hasTellingSymbols(value));
    case 'key':
      return looksRandom(value, 16, 3.5) && !isIdentifierOrDigest(value) && !NO_KEY.test(value);
  }
}

/** A public key, a list of characters, or more than a key has in it. */
const NO_KEY = /^AAAA|abcdefghijklmnopqrstuvwxyz|[^\w+/=.:~-]/i;

/** Without an operator only a flag (`--password x`), a `.netrc` line, a literal or an evident token counts. */
function canFollowSpace(
  kind: NameKind,
  { name, nameStart, value, quoted }: Assignment,
  text: string,
): boolean {
  if (kind === 'key' || /^pass$/i.test(name)) return false;
  if (quoted || text[nameStart] === '-') return true;
  if (looksRandom(value, 16) && !value.includes('/')) return true;
  const before = text.slice(Math.max(0, nameStart - 150), nameStart);
  return before.includes('login') && /login\s{1,4}\S{1,100}\s{1,40}$/.test(before);
}

/** People choose words as passwords, so a literal is enough; names of variables and labels are not literals. */
function isPassword({ name, value, quoted, tight }: Assignment): boolean {
  const isMixed = /[0-9]|[^\w.=-]/.test(value) && /[A-Za-z]/.test(value);
  if (isMixed && !isDottedName(value) && !/^[#./-]/.test(value)) return value.length >= (quoted ? 5 : 6);
  const isShellVariable = tight && /^[A-Z][A-Z0-9_]*$/.test(name);
  if (isShellVariable || looksRandom(value, 12)) return true;
  return quoted && !/pass$/i.test(name) && /^[a-z]{6,40}$/.test(value) && !LABEL.test(value);
}

const LABEL =
  /^(?:pass|new|old|current|confirm|forgot|reset|change|user|login|your|enter|e?mail)|^.{0,4}pass|field|input|label/;

/** In a query string or a connection string every value is a literal, where code would have a variable. */
function isInPairs({ tight, nameStart }: Assignment, text: string): boolean {
  if (!tight || nameStart === 0) return false;
  if ('?&'.includes(text[nameStart - 1] as string)) return true;
  const before = text.slice(Math.max(0, nameStart - 60), nameStart);
  if (before.endsWith(';') || before.endsWith('; ')) return before.includes('=');
  const lastWord = before.slice(before.lastIndexOf(' ', before.length - 2) + 1);
  return before.endsWith(' ') && lastWord.includes('=') && !lastWord.includes(',');
}

function isRepetition(value: string): boolean {
  return value.length < 8 ? statisticsOf(value).different < 3 : isFiller(value);
}

function hasTellingSymbols(value: string): boolean {
  if (value.length < 8 || /^[#./]/.test(value)) return false;
  return /[!#$%^*~]/.test(value.slice(0, -1)) || value.replace(/[\w.:/@\\-]/g, '').length >= 2;
}
