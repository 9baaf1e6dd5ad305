import { z } from 'zod';
import { wireInstant, wireUuid } from '../../lib/wire/wire.ts';

/** Providers send attributes of their own, so shapes are open, unlike everywhere else in the API. */
export const resourceBody = z.looseObject({ schemas: z.array(z.string()).optional() });

export const patchBody = z.looseObject({
  schemas: z.array(z.string()).optional(),
  Operations: z
    .array(
      z.looseObject({
        op: z.string().regex(/^(add|replace|remove)$/i, 'must be add, replace or remove'),
        path: z.string().min(1).max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
});

export const workspacePath = z.strictObject({ workspace: z.string().min(1).max(100) });
/** Any text may be asked for; what is no id of ours is not found, as providers expect. */
export const resourcePath = z.strictObject({
  workspace: z.string().min(1).max(100),
  id: z.string().min(1).max(255),
});

const maxCount = 200;
const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, 'must be a whole number')
  .transform(Number);

const projection = {
  attributes: z.string().max(1000).optional().describe('Accepted and ignored'),
  excludedAttributes: z.string().max(1000).optional().describe('`members` omits the members of groups'),
};

export const oneQuery = z.strictObject(projection);
export const listQuery = z.strictObject({
  ...projection,
  filter: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Comparisons with `eq`, joined by `and`: `userName`, `externalId`, `id`, `emails.value` and `active` of users, `displayName`, `externalId`, `id` and `members.value` of groups',
    ),
  // RFC 7644: values below 1 count as 1, negative counts as 0.
  startIndex: wholeNumber
    .transform((value) => Math.max(1, value))
    .default(1)
    .meta({ openapi: { type: 'integer', default: 1, description: 'Counted from 1' } }),
  count: wholeNumber
    .transform((value) => Math.min(maxCount, Math.max(0, value)))
    .default(100)
    .meta({ openapi: { type: 'integer', default: 100, description: `At most ${maxCount} are returned` } }),
  sortBy: z.string().max(200).optional().describe('Accepted and ignored'),
  sortOrder: z.string().max(20).optional().describe('Accepted and ignored'),
});

const meta = z.looseObject({
  resourceType: z.string(),
  created: wireInstant,
  lastModified: wireInstant,
  location: z.string(),
});

export const userResource = z.looseObject({
  schemas: z.array(z.string()),
  id: wireUuid,
  userName: z.string(),
  externalId: z.string().optional(),
  active: z.boolean(),
  groups: z.array(z.looseObject({ value: wireUuid, display: z.string() })),
  meta,
});

export const groupResource = z.looseObject({
  schemas: z.array(z.string()),
  id: wireUuid,
  displayName: z.string(),
  externalId: z.string().optional(),
  members: z.array(z.looseObject({ value: wireUuid, display: z.string() })).optional(),
  meta,
});

export function listOf(resource: z.ZodType) {
  return z.strictObject({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  });
}

export const document = z.looseObject({ schemas: z.array(z.string()) });
