import { z } from 'zod';
import { TransactionConflict, type Tx } from '../../../db/database.ts';
import { httpUrl } from '../../../lib/wire/wire.ts';
import { type EventType, eventType, type ReceivedEvent } from '../../intake/event-type.ts';
import {
  type PullRequestData,
  pullRequestData,
  pullRequestEventType,
} from '../../pull-requests/pull-request-data.ts';
import {
  insertPullRequests,
  type ReportedPullRequest,
  updatePullRequests,
} from '../../pull-requests/store-pull-requests.ts';
import { noServers, type ReviewRecord, withPullRequest } from '../record/pull-request-record.ts';
import { loadRecords } from '../record/record-store.ts';
import { createStorageMapCache, type StorageMapCache } from '../storage/storage-map.ts';
import { type LedgerEntry, type ReviewLedger, reviewLedger, toKeyString } from './review-ledger.ts';

const count = z.int().min(0).max(2_147_483_647);

/** The `data` of `postil.finding_outcome`. */
const outcomeData = z.strictObject({
  pr_url: httpUrl,
  finding_id: z.string().min(1).max(255),
  accepted: z.boolean().nullable(),
  signal: z.string().max(255).nullish(),
});

/** The `data` of `postil.mcp_usage`. */
const mcpUsageData = z.strictObject({
  pr_url: httpUrl,
  servers: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(255),
        tools: z
          .array(
            z.strictObject({ name: z.string().min(1).max(255), calls: count, failures: count.nullish() }),
          )
          .max(10_000),
      }),
    )
    .max(1_000),
});

type PullRequestEvent = ReceivedEvent<PullRequestData>;

interface PullRequestUpdate extends LedgerEntry {
  readonly keyString: string;
  readonly events: PullRequestEvent[];
}

function applyEvent(before: ReviewRecord | undefined, event: PullRequestEvent): ReviewRecord {
  return withPullRequest(before, {
    index: event.index,
    time: event.time,
    orgId: event.organization.providerOrgId,
    repositoryId: event.repository!.providerRepositoryId,
    data: event.data,
  });
}

// Sorted, so that two transactions with the same pull requests wait for each other instead of deadlocking.
function groupByPullRequest(events: readonly PullRequestEvent[]): PullRequestUpdate[] {
  const updates = new Map<string, PullRequestUpdate>();
  for (const event of events) {
    const { organization, repository, data, index } = event;
    const key = { organizationId: organization.id, repositoryId: repository!.id, number: data.number };
    const keyString = toKeyString(key);
    const known = updates.get(keyString);
    if (known === undefined)
      updates.set(keyString, {
        keyString,
        key,
        stored: undefined,
        record: applyEvent(undefined, event),
        urls: new Set([data.url]),
        lastEventIndex: index,
        events: [event],
      });
    else {
      known.record = applyEvent(known.record, event);
      known.urls.add(data.url);
      known.lastEventIndex = index;
      known.events.push(event);
    }
  }
  return [...updates.values()].sort((a, b) => (a.keyString < b.keyString ? -1 : 1));
}

function reported({ key, record }: LedgerEntry): ReportedPullRequest {
  const { url, state, eventTime } = record.pullRequest;
  return { key, url, state, eventTime };
}

async function applyPullRequests(
  tx: Tx,
  events: readonly PullRequestEvent[],
  { entries }: ReviewLedger,
  storageMaps: StorageMapCache,
): Promise<void> {
  const updates = groupByPullRequest(events);
  for (const entry of updates) entries.set(entry.keyString, entry);
  // Usually all are new, so the others are loaded only if there are any.
  const inserted = await insertPullRequests(tx, updates.map(reported));
  if (inserted === updates.length) return;

  const keys = updates.map(({ key }) => key);
  const stored = await loadRecords(tx, await storageMaps.get(tx), keys);
  if (inserted + stored.length !== updates.length) {
    storageMaps.invalidate();
    throw new TransactionConflict('the metrics of a pull request have moved to another storage');
  }
  const changed: LedgerEntry[] = [];
  const byKey = new Map(updates.map((entry) => [entry.keyString, entry]));
  for (const { key, record: before } of stored) {
    const entry = byKey.get(toKeyString(key))!;
    const after = entry.events.reduce(applyEvent, before);
    entry.urls.add(before.pullRequest.url);
    const known = {
      key,
      stored: before,
      record: after,
      urls: entry.urls,
      lastEventIndex: entry.lastEventIndex,
    };
    entries.set(entry.keyString, known);
    if (after.pullRequest !== before.pullRequest) changed.push(known);
  }
  await updatePullRequests(tx, changed.map(reported));
}

// Without a single call nothing was used, whatever servers were available.
function serversText({ servers }: z.output<typeof mcpUsageData>): string {
  if (!servers.some(({ tools }) => tools.some(({ calls }) => calls > 0))) return noServers;
  return JSON.stringify(
    servers.map(({ name, tools }) => ({
      name,
      calls: tools.reduce((sum, tool) => sum + tool.calls, 0),
      tools: tools.map((tool) => ({ name: tool.name, calls: tool.calls, failures: tool.failures ?? 0 })),
    })),
  );
}

/** The events that the metrics are made from. */
export function reviewEventTypes(): EventType[] {
  const storageMaps = createStorageMapCache();
  const ledgerPart = reviewLedger(storageMaps);
  return [
    eventType({
      type: pullRequestEventType,
      data: pullRequestData,
      isIdempotent: true,
      hasRepository: true,
      async apply(tx, events, context) {
        await applyPullRequests(tx, events, context.part(ledgerPart), storageMaps);
        return [];
      },
    }),
    eventType({
      type: 'postil.finding_outcome',
      data: outcomeData,
      isIdempotent: true,
      hasRepository: false,
      async apply(_tx, events, context) {
        context.part(ledgerPart).reports.push(
          ...events.map(({ index, organization, time, data, isOwn }) => ({
            index,
            organizationId: organization.id,
            url: data.pr_url,
            time,
            content: {
              findingId: data.finding_id,
              accepted: data.accepted,
              signal: data.signal ?? null,
              isAnnounced: isOwn,
            },
          })),
        );
        return [];
      },
    }),
    eventType({
      type: 'postil.mcp_usage',
      data: mcpUsageData,
      isIdempotent: true,
      hasRepository: false,
      async apply(_tx, events, context) {
        context.part(ledgerPart).reports.push(
          ...events.map(({ index, organization, time, data }) => ({
            index,
            organizationId: organization.id,
            url: data.pr_url,
            time,
            content: { mcpServers: serversText(data) },
          })),
        );
        return [];
      },
    }),
  ];
}
