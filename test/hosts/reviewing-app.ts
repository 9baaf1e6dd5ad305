import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { HostDeps } from '../../src/capabilities/connections/open-host.ts';
import { startTestApp, type TestOverrides } from '../harness.ts';
import { lightRuleSources } from '../light-rules.ts';
import { connect, deliver, settled, startDouble, until } from './connected-host.ts';
import { addGitRepository } from './forge/forge-repository.ts';
import { fillForge, hostToken } from './forge/sample-forge.ts';
import { GiteaDouble } from './gitea/gitea-double.ts';
import { ReviewHostDouble } from './review-host-double.ts';

/** Starts the app with workers, connected to a host with real repositories; what it writes there is only kept in memory. */
export async function startReviewingApp(
  overrides: TestOverrides = {},
  connection: Record<string, unknown> = {},
) {
  const openHosts: NonNullable<HostDeps['openHosts']> = new Map();
  const app = await startTestApp({ openHosts, ruleSources: lightRuleSources, ...overrides });
  const host = await startDouble(new GiteaDouble());
  const forge = fillForge(host);
  const reviews = new ReviewHostDouble();
  /** Waits for all work, except that the evaluation of findings may be postponed. */
  const settleAll = () => settled(app, ['evaluate-findings']);
  const { id: connectionId } = await connect(app, {
    provider: 'gitea',
    url: host.url,
    credentials: { token: hostToken },
    organizations: ['acme'],
    review: 'on',
    ...connection,
  });
  const { sql } = app.database;
  const [row] = await sql`SELECT credentials_id FROM connections WHERE id = ${connectionId}`;
  const credentialsId = row!.credentials_id;
  await app.queue.startWorkers();
  after(() => app.queue.stop());
  await settleAll();
  // The first sync has opened the host.
  const real = openHosts.get(credentialsId)!;
  openHosts.set(credentialsId, reviews.onto(real, host.url, hostToken));
  let serial = 0;
  return {
    app,
    host,
    forge,
    reviews,
    connectionId: connectionId as string,
    /** Adds a repository, and waits until the app knows it. */
    async addRepository(files: Record<string, string> = {}) {
      serial += 1;
      const repository = await addGitRepository(host, forge.acme, `project-${serial}`, {
        'readme.md': 'A project.\n',
        ...files,
      });
      await app.operator('POST', `/operator/v1/connections/${connectionId}/sync`);
      await settleAll();
      return repository;
    },
    /** Delivers the host's webhook requests and waits until all resulting work is done. */
    async deliverAll(): Promise<void> {
      for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
      await settleAll();
    },
    /** Creates a key of ada, who is a member of acme. */
    async adaKey() {
      const { json } = await app.operator('GET', `/operator/v1/connections/${connectionId}`);
      return app.createKey({
        kind: 'user',
        name: 'ada',
        provider: 'gitea',
        org_id: String(forge.acme.id),
        instance: json.instance,
        owner: String(forge.ada.id),
      });
    },
    settleAll,
    until,
  };
}
