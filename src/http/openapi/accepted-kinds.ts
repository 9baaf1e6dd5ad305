import { isAccepted } from '../../access/access-rule.ts';
import { type KeyKind, keyKinds } from '../../access/api-key-value.ts';
import type { KeyEndpoint } from '../endpoint.ts';

export function acceptedKinds({ access, accessWhen }: KeyEndpoint): KeyKind[] {
  return keyKinds.filter((kind) =>
    [access, accessWhen?.access].some((rules) => rules !== undefined && isAccepted(rules, kind)),
  );
}
