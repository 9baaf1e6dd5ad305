import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startTestApp, type TestOverrides } from '../harness.ts';
import { lightRuleSources } from '../light-rules.ts';
import { connect, deliver, settled, startDouble } from './connected-host.ts';
import type { ForgeLineComment, ForgePull, ForgeUser } from './forge/forge-data.ts';
import { addGitRepository } from './forge/forge-repository.ts';
import { fillForge, hostToken } from './forge/sample-forge.ts';
import type { HostDouble } from './host-double.ts';

/** Code with a fault: the return in `finally` swallows exceptions. */
export const unsafe = `export function load(value: string): string {
  try {
    return value.trim();
  } finally {
    return '';
  }
}
`;

/** Starts the app with workers, connected to a host with real repositories, on which people talk to its account. */
export async function startTalkingApp(
  double: HostDouble,
  provider: 'github' | 'gitlab' | 'gitea',
  overrides: TestOverrides = {},
  defaults: Record<string, unknown> = {},
) {
  const app = await startTestApp({ ruleSources: lightRuleSources, ...overrides });
  await startDouble(double);
  const forge = fillForge(double);
  const { id: connectionId, instance } = await connect(app, {
    provider,
    url: double.url,
    instance: 'the-host',
    credentials: { token: hostToken },
    organizations: ['acme'],
    review: 'on',
    defaults: {
      plan: 'enterprise',
      subscription: 'active',
      seats_purchased: 100,
      seat_assignment_mode: 'automatic',
      ...defaults,
    },
  });
  await app.queue.startWorkers();
  after(() => app.queue.stop());
  await settled(app);
  const key = await app.createKey({
    kind: 'user',
    provider,
    org_id: String(forge.acme.id),
    instance,
    owner: String(forge.ada.id),
  });
  let serial = 0;
  /** Delivers the host's webhook requests, and waits until all resulting work is done. */
  async function bring(times = 1): Promise<void> {
    for (
      let deliveries = double.takeDeliveries();
      deliveries.length > 0;
      deliveries = double.takeDeliveries()
    ) {
      for (const delivery of deliveries)
        for (let count = 0; count < times; count += 1)
          assert.equal((await deliver(app, delivery)).status, 202);
      await settled(app);
    }
  }
  const isOwn = ({ user }: { readonly user: ForgeUser }) => user.login === 'postil-bot';
  /** The account's answers to comments on a pull request, without their markers. */
  const answersOn = (pull: ForgePull) =>
    [...pull.comments, ...double.state.lineComments(pull)]
      .filter((comment) => isOwn(comment) && comment.body.startsWith('<!-- postil:answer'))
      .sort((a, b) => a.id - b.id)
      .map(({ body }) => body.slice(body.indexOf('-->') + 3).trim());
  return {
    app,
    double,
    forge,
    key,
    connectionId: connectionId as string,
    bring,
    answersOn,
    /** Opens a pull request, which is reviewed only on request unless `isAutomatic` is set. */
    async openPull({
      files = { 'src/load.ts': unsafe } as Record<string, string>,
      base = {},
      isAutomatic = false,
      author = forge.ada,
    } = {}) {
      serial += 1;
      const git = await addGitRepository(double, forge.acme, `project-${serial}`, {
        'readme.md': 'A project.\n',
        '.postil.yaml': `reviews:\n  auto_review:\n    enabled: ${isAutomatic}\n`,
        ...base,
      });
      await app.operator('POST', `/operator/v1/connections/${connectionId}/sync`);
      await settled(app);
      await git.git('checkout', '--quiet', '-b', 'topic');
      await git.commit(files);
      const pull = await git.open(author, 'topic');
      await bring();
      return { git, pull };
    },
    /** Adds a comment to the conversation, and returns the answers to it. */
    async say(pull: ForgePull, user: ForgeUser, body: string, times = 1): Promise<string[]> {
      const before = answersOn(pull).length;
      double.state.comment(pull, user, body);
      await bring(times);
      return answersOn(pull).slice(before);
    },
    /** Adds a reply to a thread, and returns the answers to it. */
    async reply(pull: ForgePull, user: ForgeUser, root: ForgeLineComment, body: string): Promise<string[]> {
      const before = answersOn(pull).length;
      double.state.answer(pull, user, root, body);
      await bring();
      return answersOn(pull).slice(before);
    },
    async runsOf(pull: ForgePull) {
      const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=100`, key);
      return json.data;
    },
  };
}
