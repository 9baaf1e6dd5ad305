import { z } from 'zod';
import { TransactionConflict, type Tx } from '../../../db/database.ts';
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
import { type StorageMemory, storageMemory } from '../storage/storage-map.ts';
import { keyText, type LedgerEntry, type ReviewLedger, reviewLedger } from './review-ledger.ts';

const url = z.string().min(1).max(2048);
const count = z.int().min(0).max(2_147_483_647);

/** The `data` of `postil.finding_outcome`. */
const outcomeData = z.strictObject({
  pr_url: url,
  finding_id: z.string().min(1).max(255),
  accepted: z.boolean().nullable(),
  signal: z.string().max(255).nullish(),
});

/** The `data` of `postil.mcp_usage`. */
const mcpUsageData = z.strictObject({
  pr_url: url,
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

interface Told extends LedgerEntry {
  readonly text: string;
  readonly events: PullRequestEvent[];
}

function tell(before: ReviewRecord | undefined, event: PullRequestEvent): ReviewRecord {
  return withPullRequest(before, {
    index: event.index,
    time: event.time,
    orgId: event.organization.providerOrgId,
    repositoryId: event.repository!.providerRepositoryId,
    data: event.data,
  });
}

// In one order, so that two transactions with the same pull requests wait for each other instead of locking up.
function tellByPullRequest(events: readonly PullRequestEvent[]): Told[] {
  const told = new Map<string, Told>();
  for (const event of events) {
    const { organization, repository, data, index } = event;
    const key = { organizationId: organization.id, repositoryId: repository!.id, number: data.number };
    const text = keyText(key);
    const known = told.get(text);
    if (known === undefined)
      told.set(text, {
        text,
        key,
        stored: undefined,
        record: tell(undefined, event),
        urls: new Set([data.url]),
        toldIndex: index,
        events: [event],
      });
    else {
      known.record = tell(known.record, event);
      known.urls.add(data.url);
      known.toldIndex = index;
      known.events.push(event);
    }
  }
  return [...told.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

function reported({ key, record }: LedgerEntry): ReportedPullRequest {
  const { url, state, eventTime } = record.pullRequest;
  return { key, url, state, eventTime };
}

async function applyPullRequests(
  tx: Tx,
  events: readonly PullRequestEvent[],
  { entries }: ReviewLedger,
  memory: StorageMemory,
): Promise<void> {
  const told = tellByPullRequest(events);
  for (const entry of told) entries.set(entry.text, entry);
  // Mostly all are new: only when some are not, it is worth asking which.
  const inserted = await insertPullRequests(tx, told.map(reported));
  if (inserted === told.length) return;

  const keys = told.map(({ key }) => key);
  const stored = await loadRecords(tx, await memory.current(tx), keys);
  if (inserted + stored.length !== told.length) {
    memory.forget();
    throw new TransactionConflict('the metrics of a pull request are in another storage by now');
  }
  const changed: LedgerEntry[] = [];
  const byText = new Map(told.map((entry) => [entry.text, entry]));
  for (const { key, record: before } of stored) {
    const entry = byText.get(keyText(key))!;
    const after = entry.events.reduce(tell, before);
    entry.urls.add(before.pullRequest.url);
    const known = { key, stored: before, record: after, urls: entry.urls, toldIndex: entry.toldIndex };
    entries.set(entry.text, known);
    if (after.pullRequest !== before.pullRequest) changed.push(known);
  }
  await updatePullRequests(tx, changed.map(reported));
}

// Without a single call nothing was used, whatever servers were at hand.
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

/** The events out of which the metrics are made. */
export function reviewEventTypes(): EventType[] {
  const memory = storageMemory();
  const part = reviewLedger(memory);
  return [
    eventType({
      type: pullRequestEventType,
      data: pullRequestData,
      isIdempotent: true,
      hasRepository: true,
      async apply(tx, events, context) {
        await applyPullRequests(tx, events, context.part(part), memory);
        return [];
      },
    }),
    eventType({
      type: 'postil.finding_outcome',
      data: outcomeData,
      isIdempotent: true,
      hasRepository: false,
      async apply(_tx, events, context) {
        context.part(part).reports.push(
          ...events.map(({ index, organization, time, data }) => ({
            index,
            organizationId: organization.id,
            url: data.pr_url,
            time,
            said: { findingId: data.finding_id, accepted: data.accepted },
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
        context.part(part).reports.push(
          ...events.map(({ index, organization, time, data }) => ({
            index,
            organizationId: organization.id,
            url: data.pr_url,
            time,
            said: { mcpServers: serversText(data) },
          })),
        );
        return [];
      },
    }),
  ];
}
