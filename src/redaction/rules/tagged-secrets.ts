import type { Rule } from '../rule.ts';
import { kindOfName } from '../values/secret-names.ts';
import { looksRandom } from '../values/value-shape.ts';

const MAX_TAG_LENGTH = 62;
const TAG_BEFORE = /<([\w.:-]{1,60})$/;
const BRACED = /([^{}<>\n]{8,3000})\}[ \t]{0,20}<\//y;

/** `<secret>{AQAAABAAA…}</secret>`: Jenkins, Maven and similar tools put encrypted values in braces. */
const bracedTag: Rule = {
  id: 'braced-tag',
  keywords: ['>{'],
  find(scan, start, end) {
    const { text } = scan;
    const tag = TAG_BEFORE.exec(text.slice(Math.max(0, start - MAX_TAG_LENGTH), start))?.[1];
    if (tag === undefined || (tag !== 'master' && kindOfName(tag) === undefined)) return;
    BRACED.lastIndex = end;
    const body = BRACED.exec(text)?.[1];
    if (body?.split(' ').some((word) => looksRandom(word, 8, 2.5))) scan.report(end, end + body.length);
  },
};

/** Rules that find secrets in special markup. */
export const taggedSecretRules: readonly Rule[] = [bracedTag];
