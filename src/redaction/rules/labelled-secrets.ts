import type { Rule } from '../rule.ts';
import { BASE64, UUID } from '../token-rule.ts';
import {
  isCodeName,
  isFiller,
  isGrouped,
  isLongNumber,
  isScrambled,
  looksRandom,
} from '../values/value-shape.ts';

const UNIT = new RegExp(
  `(?:${UUID}|[A-Za-z0-9]{20,200}|[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){3,7})(?![\\w-])`,
  'y',
);
/** Matches a UUID, or a value without dashes, unlike `token-agnostic-identity-514e47e0b602`. */
const WHOLE = new RegExp(`^(?:${UUID}|[A-Za-z0-9]+)$`);
/** Words that label the following value as a secret only in upper case. */
const IN_CAPITALS = /(?:SECRET|PRIVATE|ACCESS|TOKEN|KEY)[ .-]$/;
/** Words that also do so in lower case, with a dash before the value. */
const DASHED = /(?:secret|token|api-?key|[-_](?:private|access)|(?:private|secret|access)-?key)-$/;
/** Words after which the value is not a secret: `PRIMARY KEY abc`, `cache-token-abc`. */
const HARMLESS_OWNER = /(?:PUBLIC|PRIMARY|FOREIGN|UNIQUE|PARTITION|SORT|CACHE|INDEX)[ _-]?\w{0,7}[ .-]$/i;

const label: Rule = {
  id: 'labelled-secret',
  keywords: [
    ...[
      'secret-',
      'token-',
      'private-',
      'private-key-',
      'secret-key-',
      'access-key-',
      'secretkey-',
      'apikey-',
      'api-key-',
    ],
    ...['access-', 'key-', 'secret ', 'private ', 'access ', 'token ', 'key ', 'key.', 'token.', 'access.'],
  ],
  find(scan, start, end) {
    const { text } = scan;
    const before = text.slice(Math.max(0, start - 12), end);
    const isDashed = DASHED.test(before);
    if (!(isDashed || IN_CAPITALS.test(before)) || HARMLESS_OWNER.test(before)) return;
    UNIT.lastIndex = end;
    const value = UNIT.exec(text)?.[0];
    if (value === undefined || isFiller(value) || isCodeName(value)) return;
    const isWhole = WHOLE.test(value) && looksRandom(value, 20);
    if (isWhole || (!isDashed && (isLongNumber(value) || isScrambled(value) || isGrouped(value))))
      scan.report(end, end + value.length);
  },
};

const UNSEAL_KEY = new RegExp(
  `(?:[ _-]key)?(?:[ _-]?[0-9]{1,2})?(?:[ \\t]{0,3}[:=][ \\t]{0,3}|[ \\t]{1,3})["']?(${BASE64}{43}=|${BASE64}{44}|[0-9a-f]{64,66})(?![\\w+/=])`,
  'diy',
);

/** The key shares that unseal a vault: `Unseal Key 1: …`, `vault operator unseal …`. */
const unsealKey: Rule = {
  id: 'vault-unseal-key',
  keywords: ['unseal'],
  find(scan, _start, end) {
    UNSEAL_KEY.lastIndex = end;
    const place = UNSEAL_KEY.exec(scan.text)?.indices?.[1];
    if (place) scan.report(place[0], place[1]);
  },
};

/** Rules that find a value by the word right before it. */
export const labelledSecretRules: readonly Rule[] = [label, unsealKey];
