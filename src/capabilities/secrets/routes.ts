import { z } from 'zod';
import { systemActor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import type { Vault } from '../../secrets/vault.ts';
import { rotateSecrets } from './rotate-secrets.ts';

const rotation = z.strictObject({
  key_id: z.string(),
  resealed: z.int(),
  retired: z.array(z.string()),
  key_source: z.enum(['file', 'environment']),
});

/** The operator's endpoint for the keys that seal stored secrets. */
export function secretEndpoints(deps: { readonly database: Database; readonly vault: Vault }): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'rotateSecrets',
      method: 'POST',
      path: '/operator/v1/secrets/rotate',
      tag: 'Connections',
      summary: 'Seal all stored secrets with a new key',
      description:
        'With the key file of the data folder, a new key is created, and the former one is removed from the file once nothing needs ' +
        'it. With `POSTIL_SECRET_KEY`, everything is sealed with its first key; those in `retired` can then be removed. ' +
        'If it is interrupted, call it again to finish it.',
      errors: ['CONFLICT'],
      responses: { 200: { description: 'Everything is sealed with `key_id`', json: rotation } },
      async handle(context) {
        const { keyId, resealed, retired } = await rotateSecrets(deps, { ...context, actor: systemActor });
        return { json: { key_id: keyId, resealed, retired, key_source: deps.vault.keySource } };
      },
    }),
  ];
}
