import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  settled,
  startDouble,
} from '../../../../test/hosts/connected-host.ts';
import { addGitRepository } from '../../../../test/hosts/forge/forge-repository.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';
import { lightRuleSources } from '../../../../test/light-rules.ts';

const app = await startTestApp({ ruleSources: lightRuleSources });
await app.queue.startWorkers();
after(() => app.queue.stop());

const unsafe = `export function load(value: string): string {
  try {
    return value.trim();
  } finally {
    return '';
  }
}
`;
const safe = 'export function load(value: string): string {\n  return value.trim();\n}\n';

const hosts = {
  github: new GitHubDouble(),
  gitlab: new GitLabDouble(),
  gitea: Object.assign(new GiteaDouble(), { hasResolve: true }),
};

/** What each host shows for a major finding below `fail_on`; with a token, GitHub has nothing else that is not green. */
const warnings: Readonly<Record<string, string>> = { github: 'pending', gitlab: 'success', gitea: 'warning' };

for (const [provider, double] of Object.entries(hosts))
  test(`${provider}: what is found on a pull request appears there, and is closed when a push mends it`, {
    timeout: 600_000,
  }, async () => {
    await startDouble(double);
    const forge = fillForge(double);
    const git = await addGitRepository(double, forge.acme, 'project', { 'readme.md': 'A project.\n' });
    const credentials = { token: hostToken };
    const { id } = await connect(app, {
      provider,
      url: double.url,
      instance: `${provider}-host`,
      credentials,
      organizations: ['acme'],
      review: 'on',
    });
    await settled(app);
    const states: string[] = [];
    double.fault = ({ method, path, body }) => {
      if (method !== 'POST' || !path.includes('/statuses/')) return undefined;
      states.push(body.state);
      assert.match(body.target_url, /^http:\/\/postil\.test\/organizations\/[^/]+\/reviews\/[^/]+$/);
      return undefined;
    };
    const bring = async () => {
      for (let round = 0; round < 3; round += 1) {
        for (const delivery of double.takeDeliveries())
          assert.equal((await deliver(app, delivery)).status, 202);
        await settled(app);
      }
    };
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({ 'src/load.ts': unsafe });
    const pull = await git.open(forge.ada, 'topic');
    await bring();
    const threads = () => double.state.threads(pull);
    const summaries = () => pull.comments.filter(({ body }) => body.startsWith('<!-- postil:summary'));
    assert.deepEqual(
      threads().map(([first]) => [first!.place.path, first!.user.login, first!.resolver]),
      [['src/load.ts', 'postil-bot', null]],
    );
    assert.equal(summaries().length, 1);

    await git.commit({ 'src/load.ts': safe });
    await git.push(pull, 'topic');
    await bring();
    const answers = double.state.lineComments(pull).filter(({ body }) => body.startsWith('<!-- postil:gone'));
    assert.equal(answers.length, 1);
    assert.equal(threads()[0]![0]!.resolver?.login, 'postil-bot');
    assert.equal(summaries().length, 1);
    assert.match(summaries()[0]!.body, /No findings/);
    const shown = git.repository.statuses.findLast(({ sha }) => sha === pull.commits.at(-1)!.sha);
    assert.equal(shown?.state, 'success');
    assert.deepEqual(
      states,
      ['pending', warnings[provider]!, 'pending', 'success'],
      'one write at the start, one at the end',
    );
    const check = await app.operator('POST', `${connectionsPath}/${id}/check`);
    assert.ok(
      check.json.checks.some(({ name }: { name: string }) => name === 'statuses in acme'),
      check.text,
    );
  });
