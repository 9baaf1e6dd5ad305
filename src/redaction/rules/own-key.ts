import type { Rule } from '../rule.ts';
import { BASE62, token } from '../token-rule.ts';

/**
 * Rules for Postil's own keys: `pst_`, the letters of the kind and `_`, or `pss_` for event sources, then 32 bytes in base62 and
 * a checksum of six characters.
 */
export const ownKeyRules: readonly Rule[] = [
  token('postil-api-key', 'pst_', `[a-z]{1,8}_${BASE62}{40,60}`, { anywhere: true }),
  token('postil-event-source', 'pss_', `${BASE62}{40,60}`, { anywhere: true }),
];
