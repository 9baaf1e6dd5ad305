import type { Scan } from '../find/scan.ts';
import type { Rule } from '../rule.ts';
import { startsToken } from '../token-rule.ts';
import { isReference } from '../values/reference-value.ts';
import { isFiller, isMemberName, looksRandom } from '../values/value-shape.ts';

const JOINT = /\\?["'`]?\]?[ \t]{0,5}(?:=>|[:=,])[ \t]{0,5}\\?["'`]?(?:\s{1,20}["'`])?/y;
const SCHEME =
  /(?:Basic|Bearer|Token|Api-?Token|Api-?Key|Key|SSWS|Digest|Splunk|GenieKey|OAuth|Bot|MAC|Signature)[ \t]{1,3}/iy;
/** Matches the start of a credential, which is all that is evaluated of a long one. */
const CREDENTIAL = /[\w=~@.+/:%!|-]{6,200}/y;
const REST = /[\w=~@.+/:%!|-]{0,5000}/y;

const header: Rule = {
  id: 'authorization-header',
  keywords: ['authorization'],
  find(scan, _start, end) {
    JOINT.lastIndex = end;
    if (!JOINT.test(scan.text)) return;
    SCHEME.lastIndex = JOINT.lastIndex;
    const scheme = SCHEME.exec(scan.text)?.[0] ?? '';
    reportCredential(scan, JOINT.lastIndex + scheme.length, (value) =>
      scheme === ''
        ? looksRandom(value, 16, 2.5) && !isMemberName(value)
        : looksRandom(value, 6, 2.5) || isEncodedPair(value),
    );
  },
};

const bearer: Rule = {
  id: 'bearer-scheme',
  keywords: ['bearer '],
  find(scan, start, end) {
    if (startsToken(scan.text, start)) reportCredential(scan, end, (value) => looksRandom(value, 16, 2.5));
  },
};

const basic: Rule = {
  id: 'basic-scheme',
  keywords: ['basic '],
  find(scan, start, end) {
    if (startsToken(scan.text, start)) reportCredential(scan, end, isEncodedPair);
  },
};

/** Rules that find the credentials of an HTTP request. */
export const authorizationRules: readonly Rule[] = [header, bearer, basic];

function reportCredential(scan: Scan, from: number, isCredential: (value: string) => boolean): void {
  CREDENTIAL.lastIndex = from;
  const value = CREDENTIAL.exec(scan.text)?.[0].replace(/[.:!]{1,10}$/, '');
  if (value === undefined || !isCredential(value) || isReference(value) || isFiller(value)) return;
  REST.lastIndex = from + value.length;
  REST.test(scan.text);
  scan.report(from, value.length < 190 ? from + value.length : REST.lastIndex);
}

/** `user:password` in base64, as the Basic scheme sends it. */
function isEncodedPair(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{6,400}={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'));
}
