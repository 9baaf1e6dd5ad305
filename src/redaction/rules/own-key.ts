import type { Rule } from '../rule.ts';
import { BASE62, token } from '../token-rule.ts';

/** Our own keys: `pst_`, the letters of the kind, `_`, 32 bytes in base62 and a checksum of six characters. */
export const ownKeyRules: readonly Rule[] = [
  token('postil-api-key', 'pst_', `[a-z]{1,8}_${BASE62}{40,60}`, { anywhere: true }),
];
