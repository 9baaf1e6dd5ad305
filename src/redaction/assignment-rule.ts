import type { Scan } from './find/scan.ts';
import type { Rule } from './rule.ts';
import { isMostlyWords, statisticsOf } from './values/character-statistics.ts';
import { isObviouslyNoSecret, isShellVariable } from './values/loose-assignment.ts';
import { type Assignment, endOfValue, readFallback } from './values/read-assignment.ts';
import { isReference, isTemplate } from './values/reference-value.ts';
import {
  continuesAfterSecretWord,
  isOwnedKey,
  isSessionId,
  kindOfName,
  NAME_KEYWORDS,
  type NameKind,
} from './values/secret-names.ts';
import {
  HOLDS_UUID,
  isCodeName,
  isDottedName,
  isFiller,
  isForeignText,
  isIdentifierOrDigest,
  isLongNumber,
  isMadeOfWords,
  isMemberName,
  isScrambled,
  looksRandom,
} from './values/value-shape.ts';

const ID = 'secret-assignment';

/** Finds values assigned to names that imply a secret, unless the value shows that it is not one. */
export const assignmentRule: Rule = {
  id: ID,
  keywords: NAME_KEYWORDS,
  find(scan, start, end) {
    if (scan.isDone(ID, start)) return;
    const assignment = scan.nextAssignmentAt(start, end);
    if (assignment === undefined) return;
    const { value, valueStart, quoted } = assignment;
    // A chain such as `a1=b1=c1=d1` is evaluated once, not again from each of its names.
    if (!quoted && value.includes('=')) scan.markDone(ID, valueStart + value.length);
    reportSecret(scan, assignment);
    const fallback = readFallback(scan.text, assignment);
    if (fallback !== undefined) reportSecret(scan, fallback);
  },
};

function reportSecret(scan: Scan, assignment: Assignment): void {
  if (!isCandidate(assignment)) return;
  const kind = kindOfName(assignment.name);
  if (kind !== undefined && isSecret(kind, assignment, scan.text))
    scan.report(assignment.valueStart, endOfValue(scan.text, assignment));
}

/** Decodes escapes such as `\\u5bc6`, since letters of other languages may be written so. The start of a long value is enough. */
function withoutEscapes(value: string): string {
  return value.includes('\\u')
    ? value
        .slice(0, 200)
        .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;
}

/** Most values after such a name are words of a sentence or of code; this cheaply rules them out. */
function isCandidate({ name, value, quoted, tight, joint, isCall, isInPath }: Assignment): boolean {
  // Only passwords contain letters with accents; tokens and keys are ASCII.
  if (!/p(?:ass|w)/i.test(name) && /[\u00c0-\u024f]/.test(value)) return false;
  if (isCall || value.length < 4 || /\s/.test(value) || isForeignText(withoutEscapes(value))) return false;
  if (/^static[>;,)]/.test(value)) return false; // a lifetime in Rust, whose quote is not closed
  if (isLongNumber(value)) return true;
  if (isTable(value) || (quoted && isAlphabet(value))) return false;
  // In `PUT /users/password: 204NoContent` the name is part of a path.
  if (isInPath && !quoted && !tight && !looksRandom(value, 13)) return false;
  if (!/p(?:ass|w)/i.test(name))
    return looksRandom(value) || isScrambled(value) || (quoted && hasPasswordSymbols(value));
  const isLiteral = quoted || tight || joint === 'tag';
  return (isLiteral || value.length >= 16 || !/^[A-Za-z_.-]+$/.test(value)) && !isRepetition(value);
}

function isSecret(kind: NameKind, assignment: Assignment, text: string): boolean {
  const { name, value, quoted, joint } = assignment;
  if (kind === 'password' && isInPairs(assignment, text)) return !isTemplate(value) && !isName(value);
  if (isObviouslyNoSecret(kind, assignment, text)) return false;
  if (isCertificate(value) || isJoined(assignment, text) || isSentence(assignment, text)) return false;
  if (
    continuesAfterSecretWord(name) &&
    (!looksRandom(value, 16, 3.5) || isIdentifierOrDigest(value) || isMadeOfWords(value))
  )
    return false;
  if (/credentials?$/i.test(name) && (HOLDS_UUID.test(value) || SIGNING_SCOPE.test(value))) return false; // an id of credentials
  if (joint === 'tag' && isPropertyListKey(assignment, text)) return false;
  if (kind === 'key' && joint === 'list' && ASKING_NAME.test(name)) return false;
  if (joint === 'tag' && kind === 'password' && followsUserName(assignment, text)) return !isReference(value);
  if ((joint !== 'assign' || value.includes('?.')) && !quoted && isMemberName(value)) return false;
  if (name === 'pass' && isBesideFailure(assignment, text)) return false;
  // The UUID of a record, in another column or as a parameter.
  if (joint === 'list' && kind !== 'key' && HOLDS_UUID.test(value)) return false;
  if (isSessionId(assignment.name) && (HOLDS_UUID.test(value) || isMadeOfWords(value))) return false;
  if (joint === 'list' && (!looksRandom(value, quoted ? 12 : 16) || isCodeName(value))) return false;
  // `token("ExpiresAt4687177990")`: the argument is the name of a token.
  if (joint === 'list' && kind !== 'password' && /^(?:[A-Z][a-z]{1,20}){1,6}[0-9]{0,20}$/.test(value))
    return false;
  if (!quoted && isSameAsName(assignment)) return false;
  if (joint === 'list' && isSessionId(assignment.name)) return false; // a value that a test expects
  if (joint === 'list' && kind === 'key' && (!isOwnedKey(assignment.name) || isIdentifierOrDigest(value)))
    return false;
  if ((quoted ? kind !== 'password' : !isShellVariable(assignment)) && isCodeName(value)) return false;
  if (!quoted && isPartOfCode(assignment, text)) return false;
  if (kind !== 'key' && isLongNumber(value)) return joint === 'assign' && !isFiller(value);
  if (kind === 'password' && /^[0-9]{6,40}$/.test(value)) return joint !== 'space';
  if (joint === 'space' && !canFollowSpace(kind, assignment, text)) return false;
  return isLikely(kind, assignment) && !isReference(value) && !(isDottedName(value) && !quoted);
}

/** `isValidKey("x")`, `verifyKey("x")`: the argument is often not a key. */
const ASKING_NAME =
  /^(?:\w{1,60}\.)?(?:is|has|can|check|verify|validate|parse|decode|encode|format|to|from|assert)[A-Z_]/;

/** The scope of a signature, after the id of the key: `AKIA…/20250101/us-east-1/s3/aws4_request`. */
const SIGNING_SCOPE = /(?:\/|%2F)[0-9]{8}(?:\/|%2F)/i;

/** `<key>CFBundleName</key><string>…`: the name of an entry in Apple's property list format. */
function isPropertyListKey({ name, value, valueStart }: Assignment, text: string): boolean {
  const end = valueStart + value.length;
  return name === 'key' && PROPERTY_LIST_VALUE.test(text.slice(end, end + 80));
}
const PROPERTY_LIST_VALUE = /^<\/key>\s{0,60}<(?:string|data|dict|array|integer|real|date|true|false)\b/;

/**
 * A certificate or a public key in base64 or hex, perhaps encoded with its PEM header. A certificate is a sequence in a sequence.
 */
function isCertificate(value: string): boolean {
  return /^MII[A-Za-z0-9+/]{2}[DTjz]CC|^30(?:8[12])?[0-9a-f]{2,4}30[0-9a-f]{2}06|^LS0tLS1CRUdJTiB(?:DRVJU|QVUJMSU|SU0EgUFVCTElD)/.test(
    value,
  );
}

/**
 * `password=true`, `password=NOT_LOGGING_PASSWORD`, `forgotPassword=realm.resetPasswordAllowed`: not a literal, even in a query
 * string.
 */
function isName(value: string): boolean {
  return (
    /^(?:true|false|none|null|nil)$/i.test(value) ||
    /^(?:[A-Z0-9]{1,30}_){0,6}(?:PASSWORD|PASSWD|PASS)$|^[A-Z]{2,20}(?:_[A-Z]{2,20}){2,6}$/.test(value) ||
    /^\.{1,2}\/[\w./-]+$|^(?:your|change-?_?me)[-_]/i.test(value) ||
    (/[a-z][A-Z]/.test(value) && isDottedName(value))
  );
}

/** A literal word that code concatenates with something: `'prefix' . $name`, `"test" + id`. */
function isJoined({ value, valueStart, quoted }: Assignment, text: string): boolean {
  if (!quoted || !/^[A-Za-z_-]{1,40}$/.test(value)) return false;
  const end = valueStart + value.length;
  return /^["'`][ \t]{0,3}[.+][ \t]{0,3}[$A-Za-z]/.test(text.slice(end, end + 12));
}

/** `UPDATE_PASSWORD=Passwort aktualisieren`, `that the password is *present*`: a sentence, whose first word is not a password. */
function isSentence({ value, valueStart, quoted }: Assignment, text: string): boolean {
  if (
    !quoted &&
    /^[*_]{1,2}[a-z]{2,30}[*_]{1,2}$/.test(value) &&
    /\sis\s$/.test(text.slice(valueStart - 4, valueStart))
  )
    return true;
  if (quoted || !/^[A-Z][a-z]{2,30}$/.test(value)) return false;
  const end = valueStart + value.length;
  return /^ [a-z]{3,}/.test(text.slice(end, end + 5));
}

/** `pass: 'abc019', fail: '_abc'`: inputs that should pass or fail a test. */
function isBesideFailure({ nameStart }: Assignment, text: string): boolean {
  return /\bfail(?:ed|s)?\b/.test(text.slice(Math.max(0, nameStart - 150), nameStart + 150));
}

/** `password=password)`, `Password: password16,`, `user_password=user_001_password`, `Password: b64Pwd`: a variable, not a literal. */
function isSameAsName({ name, value }: Assignment): boolean {
  if (value === name.toLowerCase()) return true;
  if (name === name.toUpperCase()) return false;
  if (value.replace(/[\W0-9]+$/, '').toLowerCase() === name.replace(/[0-9]+$/, '').toLowerCase()) return true;
  return (
    /^[a-z]\w{0,60}(?:_|[a-z0-9](?=[A-Z]))\w{0,60}[a-z]$/.test(value) &&
    kindOfName(value) === 'password' &&
    // Long random values happen to contain `Pw`, but are not made of words.
    (value.length < 24 || isMostlyWords(value, 0.5, 3))
  );
}

/** `pass = argument_5;` ends a statement, `password: debug2:` starts a log line, `getKey(x)` is a call. */
function isPartOfCode({ name, value, valueStart, joint, tight }: Assignment, text: string): boolean {
  const next = text[valueStart + value.length] ?? '';
  if (next === '>' && value.endsWith('-')) return true; // `context->user`
  if (next === ':' || (name === 'PASS' && !tight)) return true; // `--- PASS: TestName`
  if (joint === 'list' && /^(?:get|has|find|load|fetch|resolve|build|make|create|generate)/i.test(name))
    return true;
  return /[;)]/.test(next) && /^[a-z]{2,20}(?:_[a-z]{1,20}){0,6}_?[0-9]{0,2}$/.test(value);
}

function isLikely(kind: NameKind, assignment: Assignment): boolean {
  const { value, quoted } = assignment;
  switch (kind) {
    case 'password':
      return isPassword(assignment);
    case 'secret':
      if (assignment.tight && /[A-Z]{3}$/.test(assignment.name) && isScrambled(value)) return true;
      return looksRandom(value) || (quoted && hasPasswordSymbols(value));
    case 'key':
      if (isIdentifierOrDigest(value)) return isOwnedKey(assignment.name) && !isFiller(value);
      if (isDottedName(value) || isMostlyWords(value, 0.55, 3.4)) return false;
      return looksRandom(value, 16, 3.5) && !NOT_A_KEY.test(value) && !/^(?:0x)?[0-9a-f]{16}$/i.test(value);
  }
}

/** Matches a public key, an alphabet, or a character that no key contains. */
const NOT_A_KEY =
  /^(?:(?:node|disco|m)key:|AAAA|MFkwEwYH|MIIBIjANBgkq|MIGfMA0G)|abcdefghijklmnopqrstuvwxyz|[^\w+/=.:~-]/i;

/** Without an operator, only a flag (`--password x`), a `.netrc` line, a literal or an obvious token counts as an assignment. */
function canFollowSpace(
  kind: NameKind,
  { name, nameStart, value, quoted }: Assignment,
  text: string,
): boolean {
  if (kind === 'key')
    return text[nameStart] === '-' && looksRandom(value, 20, 3.5) && !isIdentifierOrDigest(value);
  if (/^pass\W*$/i.test(name)) return false;
  if (quoted) return kind === 'password' || looksRandom(value, 12);
  if (text[nameStart] === '-') return true;
  if (looksRandom(value, 16) && !value.includes('/')) return true;
  const before = text.slice(Math.max(0, nameStart - 150), nameStart);
  return before.includes('login') && /login\s{1,4}\S{1,100}\s{1,40}$/.test(before);
}

/** People choose words as passwords, so a quoted literal is enough; an unquoted word may be the name of a variable or a label. */
function isPassword(assignment: Assignment): boolean {
  const { name, value, quoted } = assignment;
  // Letters of other languages are not symbols: `Şifrə` is a word.
  const isMixed = /[0-9!-,/:-<>-@[-^`{-~]/.test(value) && /[A-Za-z]/.test(value);
  if (!quoted && !assignment.tight && /^[a-z_]+!$/.test(value)) return false; // the end of a sentence, or a method
  if (/^[A-Za-z][a-z'-]*[:?]$/.test(value)) return false; // the label of a field, in some language
  if (isMixed && !isDottedName(value) && !/^[#./-]/.test(value)) return value.length >= (quoted ? 5 : 6);
  if (isShellVariable(assignment) || looksRandom(value, 12)) return true;
  return (
    quoted &&
    !/pass$/i.test(name) &&
    /^[a-z]{6,40}$/.test(value) &&
    !LABEL.test(value) &&
    !WORD_FOR_PASSWORD.test(value)
  );
}

const LABEL =
  /^(?:pass|new|old|current|confirm|forgot|reset|change|user|login|your|enter|e?mail|(?:encoded|encrypted|hashed|plain)$)|^.{0,4}pass|field|input|label/;

/** The word "password" in other languages, as in forms and messages. */
const WORD_FOR_PASSWORD =
  /^(?:wagwoord|wachtwoord|kennwort|adgangskode|kodeord|losenord|lykilord|salasana|contrasenya|contrasinal|contrasena|senha|clave|parola|parole|parool|haslo|heslo|geslo|jelszo|lozinka|zaporka|sifra|sifre|slaptazodis|pasahitza|pasvorto|fjalekalimi|sandi|katasandi|matkhau|nenosiri|paswot|motdepasse)$/;

/** `<username>joe</username> <password>word</password>`: settings; in a form or a translation, the value would be a label. */
function followsUserName({ nameStart }: Assignment, text: string): boolean {
  return /<\/(?:user(?:name)?|login)>\s{0,60}<$/i.test(text.slice(Math.max(0, nameStart - 80), nameStart));
}

/** In a query string or a connection string every value is a literal, whereas code would have a variable. */
function isInPairs({ tight, nameStart }: Assignment, text: string): boolean {
  if (!tight || nameStart === 0) return false;
  if ('?&'.includes(text[nameStart - 1] as string)) return true;
  const before = text
    .slice(Math.max(0, nameStart - 60), nameStart)
    .split('\n')
    .at(-1)!;
  if (before.endsWith(';') || before.endsWith('; ')) return before.includes('=');
  const lastWord = before.slice(before.lastIndexOf(' ', before.length - 2) + 1);
  return before.endsWith(' ') && lastWord.includes('=') && !lastWord.includes(',');
}

/** Whether the value is long and full of symbols, like the tables of generated parsers. The start is enough. */
function isTable(value: string): boolean {
  if (value.length <= 40) return false;
  const start = value.slice(0, 160);
  return (start.match(/[^\w+/=.%-]/g) ?? []).length > start.length * 0.2;
}

/** Whether the value lists the digits and the letters of both cases in order, such as the characters allowed in an encoding. */
function isAlphabet(value: string): boolean {
  return value.includes('0123456789') && value.includes('abcdef') && value.includes('ABCDEF');
}

function isRepetition(value: string): boolean {
  return value.length < 8 ? statisticsOf(value).different < 3 : isFiller(value);
}

function hasPasswordSymbols(value: string): boolean {
  if (value.length < 8 || /^[#./]/.test(value)) return false;
  return /[!#$%^*~]/.test(value.slice(0, -1)) || (value.match(/[!-,;-?[\]^`{-~]/g) ?? []).length >= 2;
}
