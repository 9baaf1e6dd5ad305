import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import {
  cursorParameter,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';

/** The request to add an event source; the types are those that the installation supports. */
export function sourceRequest(eventTypes: readonly string[]) {
  return z.strictObject({
    name: z.string().trim().min(1).max(100),
    organizations: z
      .array(
        z.strictObject({
          provider: z.enum(providers),
          org_id: providerId,
          instance: z.string().min(1).max(63).nullish(),
        }),
      )
      .min(1)
      .max(1000),
    types: z.array(z.enum(eventTypes)).min(1).max(100),
  });
}
export type SourceRequest = z.output<ReturnType<typeof sourceRequest>>;

const common = {
  id: wireUuid,
  name: z.string(),
  organizations: z.array(
    z.strictObject({
      provider: z.enum(providers),
      org_id: z.string(),
      instance: z.string().nullable(),
    }),
  ),
  types: z.array(z.string()),
  created_at: wireInstant,
};

export const createdSource = z.strictObject({ ...common, value: z.string() });
export const sourceView = z.strictObject({ ...common, last_used_at: wireInstant.nullable() });
export const sourcePage = z.strictObject({ data: z.array(sourceView), next_cursor: z.string().nullable() });
export const sourcePath = z.strictObject({ id: uuid });
export const sourceListQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(100),
  cursor: cursorParameter.optional(),
});
