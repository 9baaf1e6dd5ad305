import type { Scan } from './find/scan.ts';
import type { Rule } from './rule.ts';
import { isMostlyWords } from './values/character-statistics.ts';
import { endOfValue } from './values/read-assignment.ts';
import { isHarmlessName, kindOfName } from './values/secret-names.ts';
import { isFiller, isIdentifierOrDigest, looksRandom } from './values/value-shape.ts';

/** The words between the vendor's name and the value in a sentence: `algolia admin key: `, `asana token is `. */
const PHRASE =
  /((?:[ \t]{1,3}[A-Za-z-]{1,20}){0,3}[ \t]{1,3}(?:keys?|tokens?|secrets?))[ \t]{0,3}(?:[:=]|is[ \t])[ \t]{0,3}["'`]?/iy;

interface VendorOptions {
  /** The vendor's name alone implies a secret, whatever the rest of the name says. */
  readonly promises?: boolean;
}

/**
 * Creates the rule for a vendor whose tokens have no prefix: a name that contains the vendor's name is assigned a value of
 * exactly this shape. `shape` is the source of a case-insensitive expression for the whole value.
 */
export function vendor(
  id: string,
  names: string | readonly string[],
  shape: string,
  options: VendorOptions = {},
): Rule {
  const pattern = new RegExp(`^(?:${shape})$`, 'i');
  const vendorName = new RegExp((typeof names === 'string' ? [names] : names).join('|'), 'i');
  const afterPhrase = new RegExp(`(?:${shape})(?![\\w-])`, 'iy');
  return {
    id,
    keywords: typeof names === 'string' ? [names] : names,
    find(scan, start, end) {
      if (scan.text[end] === ' ' && reportAfterPhrase(scan, end, afterPhrase)) return;
      const assignment = scan.assignmentAt(start, end);
      if (assignment === undefined || !pattern.test(assignment.value)) return;
      const { name, value } = assignment;
      const isLettersOnly = !/[0-9]/.test(value);
      if (isFiller(value) || isMostlyWords(value, isLettersOnly ? 0.4 : 0.7, 3)) return;
      if (isLettersOnly && (value.length < 14 || kindOfName(name) === undefined)) return;
      if (options.promises) {
        scan.report(assignment.valueStart, endOfValue(scan.text, assignment));
        return;
      }
      if (isHarmlessName(name)) return;
      // A digest or a UUID next to a vendor's name may be a commit or a record, so the rest of the name must imply a secret.
      if (isIdentifierOrDigest(value) && kindOfName(name.replace(vendorName, '_')) === undefined) return;
      scan.report(assignment.valueStart, endOfValue(scan.text, assignment));
    },
  };
}

function reportAfterPhrase(scan: Scan, from: number, shape: RegExp): boolean {
  PHRASE.lastIndex = from;
  const phrase = PHRASE.exec(scan.text);
  if (phrase === null || kindOfName(phrase[1] as string) === undefined) return false;
  shape.lastIndex = PHRASE.lastIndex;
  const value = shape.exec(scan.text)?.[0];
  if (value === undefined || !looksRandom(value, 12)) return false;
  scan.report(PHRASE.lastIndex, shape.lastIndex);
  return true;
}
