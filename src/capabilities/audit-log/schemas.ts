import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import { parseCommaList } from '../../lib/wire/comma-list.ts';
import { instantOrDay, integerParameter, providerId, wireInstant, wireUuid } from '../../lib/wire/wire.ts';
import { auditActions, auditResourceTypes } from './audit-vocabulary.ts';

const maximumValues = 50;
const maximumPage = 1_000_000_000;

/** Values of a vocabulary; an unknown one is refused, because an empty page would read as "it never happened". */
function vocabularyParameter<Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text, issues): Word[] => {
      const values = parseCommaList(text, maximumValues);
      const unknown =
        typeof values === 'string' ? [] : values.filter((value) => !words.includes(value as Word));
      if (typeof values !== 'string' && unknown.length === 0) return values as Word[];
      issues.addIssue(
        typeof values === 'string' ? values : `${unknown[0]} is unknown; valid values: ${words.join(', ')}`,
      );
      return z.NEVER;
    })
    .meta({
      openapi: {
        type: 'string',
        description: `Comma-separated, at most ${maximumValues} values of: ${words.join(', ')}`,
      },
    });
}

export const entryListQuery = z
  .strictObject({
    search: z
      .string()
      .max(200)
      .meta({ description: "Part of the actor's name, in any case of letters" })
      .optional(),
    actions: vocabularyParameter(auditActions).optional(),
    resource_types: vocabularyParameter(auditResourceTypes).optional(),
    date_from: instantOrDay('start').optional(),
    date_to: instantOrDay('end').optional(),
    page: integerParameter(1, maximumPage).default(1),
    page_size: integerParameter(1, 100).default(10),
  })
  .refine(({ date_from, date_to }) => !date_from || !date_to || date_from <= date_to, {
    path: ['date_to'],
    error: 'must not precede date_from',
  });

export type EntryListQuery = z.output<typeof entryListQuery>;

const filterOption = z.strictObject({ value: z.string(), label: z.string(), count: z.int() });

export const entryPage = z
  .strictObject({
    data: z.array(
      z.strictObject({
        id: wireUuid,
        action: z.string(),
        actionLabel: z.string(),
        resourceType: z.string(),
        resourceTypeLabel: z.string(),
        resourceSummary: z.string(),
        actor: z.strictObject({
          name: z.string(),
          subtitle: z.string().meta({ description: 'Empty for the service itself' }),
          isBot: z.boolean(),
          avatarUrl: z.string().nullable(),
        }),
        metadata: z.record(z.string(), z.unknown()),
        ipAddress: z.string().nullable(),
        createdAt: wireInstant,
        relativeTime: z.string(),
      }),
    ),
    pagination: z.strictObject({
      page: z.int(),
      page_size: z.int(),
      total_count: z.int(),
      total_pages: z.int(),
      has_next_page: z.boolean(),
      has_previous_page: z.boolean(),
    }),
    filter_options: z.strictObject({
      actions: z.array(filterOption),
      resource_types: z.array(filterOption),
    }),
  })
  .meta({ id: 'AuditLogPage' });

const organization = {
  provider: z.enum(providers).optional(),
  org_id: providerId.optional(),
  instance: z.string().min(1).max(63).optional(),
};

function namesOneOrganization({ provider, org_id, instance }: { [key: string]: unknown }): boolean {
  return org_id === undefined ? provider === undefined && instance === undefined : provider !== undefined;
}
const oneOrganization = { path: ['org_id'], error: 'an organization is named by provider and org_id' };

export const verificationQuery = z.strictObject(organization).refine(namesOneOrganization, oneOrganization);

export const exportQuery = z
  .strictObject({ ...organization, since: instantOrDay('start').optional() })
  .refine(namesOneOrganization, oneOrganization);

export const verification = z
  .strictObject({
    verified: z.boolean(),
    entries: z.int(),
    chains: z.array(
      z.strictObject({
        chain_id: wireUuid,
        provider: z.enum(providers).nullable(),
        org_id: z.string().nullable(),
        instance: z.string().nullable(),
        workspace: z.string().nullable(),
        entries: z.int(),
        head: z.string(),
        fault: z.strictObject({ position: z.int(), message: z.string() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'AuditVerification' });
