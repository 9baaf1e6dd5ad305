import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { type EventType, eventType, type ReceivedEvent } from '../intake/event-type.ts';
import { type PullRequestData, pullRequestData, pullRequestEventType } from '../intake/pull-request-data.ts';
import type { PullRequestKey } from './pull-request-state.ts';
import { insertPullRequests, loadRecords, updatePullRequests } from './record-store.ts';
import { enter, keyText, type ReviewLedger, reviewLedger } from './review-ledger.ts';
import { withPullRequest } from './review-record.ts';
import { type StorageMemory, storageMemory } from './storage-map.ts';

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

function keyOf({ organization, repository, data }: ReceivedEvent<PullRequestData>): PullRequestKey {
  return { organizationId: organization.id, repositoryId: repository!.id, number: data.number };
}

// In one order, so that two transactions with the same pull requests wait for each other instead of locking up.
function keysOf(events: readonly ReceivedEvent<PullRequestData>[]): Map<string, PullRequestKey> {
  const keys = events.map((event): [string, PullRequestKey] => [keyText(keyOf(event)), keyOf(event)]);
  return new Map(keys.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function applyPullRequests(
  tx: Tx,
  events: readonly ReceivedEvent<PullRequestData>[],
  ledger: ReviewLedger,
  memory: StorageMemory,
): Promise<void> {
  const keys = keysOf(events);
  enter(ledger, await loadRecords(tx, await memory.current(tx), [...keys.values()]));
  for (const event of events) {
    const key = keyOf(event);
    const entry = ledger.entries.get(keyText(key));
    const record = withPullRequest(entry?.record, {
      time: event.time,
      orgId: event.organization.providerOrgId,
      repositoryId: event.repository!.providerRepositoryId,
      data: event.data,
    });
    ledger.entries.set(keyText(key), { key, stored: entry?.stored, record, lastIndex: event.index });
  }
  const told = [...keys.keys()].map((text) => ledger.entries.get(text)!);
  await insertPullRequests(
    tx,
    told.filter(({ stored }) => stored === undefined),
  );
  await updatePullRequests(
    tx,
    told.filter(({ stored, record }) => stored !== undefined && stored.pullRequest !== record.pullRequest),
  );
}

function serversText({ servers }: z.output<typeof mcpUsageData>): string {
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
      hasRepository: true,
      async apply(tx, events, context) {
        await applyPullRequests(tx, events, context.part(part), memory);
        return [];
      },
    }),
    eventType({
      type: 'postil.finding_outcome',
      data: outcomeData,
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
