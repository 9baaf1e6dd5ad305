import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemActor } from '../../access/actor.ts';
import { recordChanges } from '../../capabilities/audit-log/record-changes.ts';
import { type ConnectionId, secretPurposes } from '../../capabilities/connections/connection-record.ts';
import { createWebhookSecret } from '../../capabilities/connections/hosts/host-webhook-secret.ts';
import { connectionChangeEntry } from '../../capabilities/connections/setup/connection-audit.ts';
import { insertConnection } from '../../capabilities/connections/store.ts';
import { nextDue } from '../../capabilities/digests/period.ts';
import { findDigests, insertDigest } from '../../capabilities/digests/store.ts';
import { applyPlatform } from '../../capabilities/operator/apply-platform.ts';
import { makeMirrorFolder } from '../../capabilities/reviews/mirror/mirror-folder.ts';
import type { InstanceId, OrganizationId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { loadKeyRing } from '../../secrets/key-ring.ts';
import { Vault } from '../../secrets/vault.ts';
import type { RunningServer } from '../../server.ts';
import type { Settings } from '../../settings.ts';
import { CommandError } from '../command-error.ts';
import type { OperatorClient } from '../operator-client.ts';
import { startProgress } from '../output.ts';
import { advisories } from './advisories.ts';
import {
  demoHost,
  demoPlatform,
  demoRepositories,
  organizationId,
  organizationName,
  ownAccount,
} from './company.ts';
import { type DemoEvent, demoEvents } from './demo-events.ts';
import type { DemoHost } from './demo-host.ts';
import { historyRows } from './history/history-rows.ts';
import { historyDays, makeHistory } from './history/make-history.ts';
import { loadRows } from './load-rows.ts';
import { type InstallationIds, readRecording, readStories } from './recording.ts';
import { makeBareRepository, makeRepository } from './story/make-repository.ts';
import type { Story } from './story/read-story.ts';

const dayMs = 86_400_000;
const steps = 6;
const syncSeconds = 60;

/** The end of the demo's story, which is the time of its first start; stored in its folder once everything is complete. */
const endFile = 'story-ended-at';

/** The folder of the host's repositories. */
export const repositoriesOf = (folder: string) => path.join(path.resolve(folder), 'repositories');

export interface DemoDeps {
  readonly settings: Settings;
  readonly server: Pick<RunningServer, 'database'>;
  readonly client: OperatorClient;
  readonly host: DemoHost;
}

/** The end of the story of a filled demo; undefined if it is not filled yet, or not completely. */
async function readEnd(folder: string): Promise<Date | undefined> {
  return readFile(path.join(folder, endFile), 'utf8').then(
    (text) => new Date(text.trim()),
    () => undefined,
  );
}

async function readIds({ database: { sql } }: DemoDeps['server']): Promise<InstallationIds> {
  const [organization] = await sql<{ id: string }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = ${organizationId}`;
  const rows = await sql<{ id: string; providerId: string }[]>`
    SELECT id, provider_repository_id AS "providerId" FROM repositories WHERE organization_id = ${organization!.id}`;
  return {
    organization: organization!.id,
    repositories: Object.fromEntries(rows.map(({ id, providerId }) => [providerId, id])),
  };
}

/** Connects the demo's own host, dated half a year ago. */
async function connectHost({ settings, server: { database } }: DemoDeps, at: Date): Promise<ConnectionId> {
  const { sql } = database;
  const [known] = await sql<{ id: ConnectionId }[]>`SELECT id FROM connections LIMIT 1`;
  if (known !== undefined) return known.id;
  const vault = new Vault(await loadKeyRing(settings));
  const [instance] = await sql<
    { id: InstanceId }[]
  >`SELECT id FROM instances WHERE slug = ${demoHost.instance}`;
  const id = newUuid() as ConnectionId;
  await database.transaction(async (tx) => {
    const connection = {
      id,
      provider: 'gitea',
      url: demoHost.url,
      instance: { id: instance!.id, slug: demoHost.instance },
      account: ownAccount,
      wantedOrganizations: [organizationName],
      credentialsId: await vault.store(tx, secretPurposes.credentials, JSON.stringify({ token: 'none' })),
      webhookSecretId: await vault.store(tx, secretPurposes.webhook, createWebhookSecret()),
      review: 'on',
      defaults: {
        plan: 'enterprise',
        subscription: 'active',
        seats_purchased: 30,
        seat_assignment_mode: 'automatic',
      },
      createdAt: at,
    } as const;
    await insertConnection(tx, connection);
    const entry = connectionChangeEntry('created', connection, { organizations: [organizationName] });
    await recordChanges(tx, { actor: systemActor, now: at }, [entry]);
  });
  return id;
}

/** Makes the server read its host: repositories, people and teams. */
async function syncHost({ client, server: { database } }: DemoDeps, id: ConnectionId): Promise<void> {
  await client.send({ method: 'POST', path: `/operator/v1/connections/${id}/sync` });
  for (let waited = 0; waited < syncSeconds; waited += 0.1) {
    const rows = await database.sql`SELECT 1 FROM connections WHERE id = ${id} AND synced_at IS NOT NULL`;
    if (rows.length > 0) return;
    await sleep(100);
  }
  throw new CommandError("The demo's host could not be read");
}

async function sendEvents(client: OperatorClient, events: readonly DemoEvent[]): Promise<void> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  const stream = { type: 'application/x-ndjson', source: Readable.from(lines) };
  const outcome = await client.send({ method: 'POST', path: '/operator/v1/events', stream });
  const { failed, errors } = outcome as { failed: number; errors: { message: string }[] };
  if (failed > 0) throw new CommandError(`${failed} demo events were rejected: ${errors[0]?.message}`);
}

/**
 * Fills a new demo, and gives the recorded data to its host. Every step is idempotent, so that the next start completes one
 * that was interrupted.
 */
export async function fillDemo(deps: DemoDeps): Promise<void> {
  const { settings, server, client, host } = deps;
  const folder = path.resolve(settings.dataDirectory);
  const known = await readEnd(folder);
  const end = known ?? new Date();
  const progress = startProgress('Telling half a year of a company');
  let done = 0;
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await work();
    done += 1;
    progress.update(done, steps);
    return result;
  };
  try {
    if (known === undefined) {
      const begin = new Date(end.getTime() - (historyDays + 1) * dayMs);
      const origin = { now: begin, requestId: newUuid(), ipAddress: null, actor: systemActor };
      await step(() => applyPlatform(server, demoPlatform(), origin));
      await client.send({ method: 'POST', path: '/operator/v1/osv/advisories', json: advisories });
    }
    const ids = await readIds(server);
    const recording = await step(() => readRecording(end, ids));
    host.show(recording.pulls);
    if (known !== undefined) return;
    const stories = await readStories();
    await step(() => makeRepositories(folder, ids, stories));
    const connected = connectHost(deps, new Date(end.getTime() - historyDays * dayMs));
    await step(async () => syncHost(deps, await connected));
    const firstNumbers = Object.fromEntries(stories.map(({ id, firstNumber }) => [id, firstNumber]));
    const { pulls, quietSince } = makeHistory(end, firstNumbers);
    const organization = ids.organization as OrganizationId;
    const tables = [historyRows(pulls, ids), recording.tables];
    await step(() => loadRows(server.database, organization, tables, recording.audit, quietSince));
    await setUpDigest(server, organization, end);
    await step(() => sendEvents(client, demoEvents(pulls, recording, ids.repositories, end)));
    await writeFile(path.join(folder, endFile), `${end.toISOString()}\n`);
  } finally {
    progress.end();
  }
}

/** Sets up a weekly digest for two people; without a mail server nothing is sent. */
async function setUpDigest(
  { database }: DemoDeps['server'],
  organization: OrganizationId,
  end: Date,
): Promise<void> {
  const schedule = { weekday: 1, hour: 7 };
  await database.transaction(async (tx) => {
    if ((await findDigests(tx, organization)).length > 0) return;
    await insertDigest(tx, {
      ...schedule,
      organizationId: organization,
      digestId: newUuid(),
      teamId: null,
      recipients: ['mara.lindqvist@northwind.test', 'dmitri.kovacs@northwind.test'],
      chat: null,
      isActive: true,
      nextDueAt: nextDue(schedule, end),
      createdAt: end,
    });
  });
}

/** Creates the repositories of the host, and those with real code also as the server's mirrors. */
async function makeRepositories(
  folder: string,
  ids: InstallationIds,
  stories: readonly Story[],
): Promise<void> {
  const hosted = (name: string) => path.join(repositoriesOf(folder), `${name}.git`);
  await Promise.all(
    demoRepositories.map(async ({ id, name }) => {
      await makeBareRepository(hosted(name));
      const story = stories.find((one) => one.id === id);
      if (story === undefined) return;
      const mirror = path.join(folder, 'mirrors', `${ids.organization}-${ids.repositories[id]}.git`);
      await makeMirrorFolder(mirror);
      await makeRepository(story, hosted(name));
      await makeRepository(story, mirror);
    }),
  );
}
