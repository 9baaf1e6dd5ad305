import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import { parseCommaList } from '../../lib/wire/comma-list.ts';
import { must } from '../../lib/wire/own-checks.ts';
import { instantOrDay, integerParameter, providerId, wireInstant, wireUuid } from '../../lib/wire/wire.ts';
import { auditActions, auditResourceTypes } from './audit-vocabulary.ts';

const maxValues = 50;
const maxPage = 1_000_000_000;

/** A list of known words. An unknown one is rejected, because an empty page would read as "it never happened". */
function vocabularyParameter<Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text, issues): Word[] => {
      const values = parseCommaList(text, maxValues);
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
        description: `Comma-separated, at most ${maxValues} values of: ${words.join(', ')}`,
      },
    });
}

const entryFilters = {
  search: z.string().max(200).meta({ description: "Part of the actor's name; case is ignored" }).optional(),
  actions: vocabularyParameter(auditActions).optional(),
  resource_types: vocabularyParameter(auditResourceTypes).optional(),
  date_from: instantOrDay('start').optional(),
  date_to: instantOrDay('end').optional(),
};

function isForward({
  date_from,
  date_to,
}: {
  date_from?: Date | undefined;
  date_to?: Date | undefined;
}): boolean {
  return !date_from || !date_to || date_from <= date_to;
}
const notForward = { path: ['date_to'], error: 'must not precede date_from' };

export const entryListQuery = z
  .strictObject({
    ...entryFilters,
    page: integerParameter(1, maxPage).default(1),
    page_size: integerParameter(1, 100).default(10),
  })
  .check(must(isForward, notForward));

export const entryExportQuery = z.strictObject(entryFilters).check(must(isForward, notForward));
export type EntryExportQuery = z.output<typeof entryExportQuery>;

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
          subtitle: z.string().meta({ description: 'Empty for the system itself' }),
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

/** With the names of the repositories, roles and Learnings that entries refer to, by id. */
export const namedEntryPage = entryPage.extend({ names: z.record(z.string(), z.string()) });

const organization = {
  provider: z.enum(providers).optional(),
  org_id: providerId.optional(),
  instance: z.string().min(1).max(63).optional(),
};

function isCompleteReference({ provider, org_id, instance }: { [key: string]: unknown }): boolean {
  return org_id === undefined ? provider === undefined && instance === undefined : provider !== undefined;
}
const incompleteReference = { path: ['org_id'], error: 'must be given together with provider' };

export const verificationQuery = z
  .strictObject(organization)
  .check(must(isCompleteReference, incompleteReference));

export const exportQuery = z
  .strictObject({ ...organization, since: instantOrDay('start').optional() })
  .check(must(isCompleteReference, incompleteReference));

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
