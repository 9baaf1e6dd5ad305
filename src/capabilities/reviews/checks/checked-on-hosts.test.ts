import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { connect, deliver, settled, startDouble } from '../../../../test/hosts/connected-host.ts';
import { addGitRepository } from '../../../../test/hosts/forge/forge-repository.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';
import { lightRuleSources } from '../../../../test/light-rules.ts';

const app = await startTestApp({ ruleSources: lightRuleSources });
await app.queue.startWorkers();
after(() => app.queue.stop());

const configuration = `checks:
  title: { pattern: "^(feat|fix): .+", mode: error }
  description: { min_length: 20, sections: [Why], mode: warning }
  linked_issue: { required: true, mode: error }
  size: { max_lines: 100 }
  commits: { no_fixup: true, mode: error }
  together: [{ name: tests, when: ["src/**", "!**/*.test.ts"], require: ["**/*.test.ts"], mode: warning }]
  findings: { critical: 0, mode: error }
`;

const hosts = { github: new GitHubDouble(), gitlab: new GitLabDouble(), gitea: new GiteaDouble() };
/** What each host shows for red and for neither green nor red. */
const words: Readonly<Record<string, { red: string; grey: string }>> = {
  github: { red: 'failure', grey: 'pending' },
  gitlab: { red: 'failed', grey: 'skipped' },
  gitea: { red: 'failure', grey: 'warning' },
};

for (const [provider, double] of Object.entries(hosts))
  test(`${provider}: checks of the base are shown as a status of their own, and again when text, commits or approvals change`, {
    timeout: 600_000,
  }, async () => {
    const { red, grey } = words[provider]!;
    await startDouble(double);
    const forge = fillForge(double);
    const files = { '.postil.yaml': configuration, 'src/load.ts': 'export const one = 1;\n' };
    const git = await addGitRepository(double, forge.acme, 'project', files);
    git.repository.issues.add(7);
    const owned = await addGitRepository(double, forge.acme, 'owned', {
      '.postil.yaml': 'checks:\n  owners: { mode: error }\n',
      CODEOWNERS: provider === 'gitea' ? 'src/.* @ben\n' : 'src/ @ben\n',
    });
    const mistyped = await addGitRepository(double, forge.acme, 'mistyped', {
      '.postil.yaml': 'checks:\n  title: { pattern: "^feat: ", mode: eror }\n',
    });
    const { instance } = await connect(app, {
      provider,
      url: double.url,
      instance: `${provider}-host`,
      credentials: { token: hostToken },
      organizations: ['acme'],
      review: 'on',
    });
    await settled(app);
    const key = await app.createKey({
      kind: 'user',
      name: 'ada',
      provider,
      org_id: String(forge.acme.id),
      instance,
      owner: String(forge.ada.id),
    });
    const bring = async () => {
      for (let round = 0; round < 3; round += 1) {
        for (const delivery of double.takeDeliveries())
          assert.equal((await deliver(app, delivery)).status, 202);
        await settled(app);
      }
    };
    const shown = (repository = git.repository) =>
      repository.statuses
        .filter(({ name }) => name === 'postil/checks')
        .map(({ state, title }) => [state, title]);
    const runs = async () =>
      (await app.get(`/v1/reviews?repository_ids=${git.repository.id}`, key)).json.data as { id: string }[];
    const checks = async () => {
      const [newest] = await runs();
      const { report } = (await app.get(`/v1/reviews/${newest!.id}`, key)).json;
      return Object.fromEntries(
        report.checks.map(({ name, verdict }: Record<string, string>) => [name, verdict]),
      );
    };
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({
      '.postil.yaml': 'checks: {}\n',
      'src/load.ts': 'export const one = 1;\nexport const two = 2;\n',
    });
    const pull = await git.open(forge.ada, 'topic');
    await bring();
    assert.deepEqual(shown().at(-1), [red, 'Failed: title, linked_issue']);
    assert.deepEqual(await checks(), {
      title: 'failed',
      description: 'failed',
      linked_issue: 'failed',
      size: 'passed',
      commits: 'passed',
      tests: 'failed',
      findings: 'passed',
    });
    const summary = () => pull.comments.find(({ body }) => body.startsWith('<!-- postil:summary'))!.body;
    assert.match(
      summary(),
      /No findings\.[^#]*#### Checks\n\n- \*\*title\*\* failed: The title does not match/,
    );

    const before = (await runs()).length;
    double.state.edit(pull, { title: 'feat: two', description: 'Closes #7.\n\n## Why\n\nBecause of two.' });
    await bring();
    assert.deepEqual(shown().at(-1), [grey, 'Warning: tests']);
    assert.deepEqual(await checks(), {
      title: 'passed',
      description: 'passed',
      linked_issue: 'passed',
      size: 'passed',
      commits: 'passed',
      tests: 'failed',
      findings: 'passed',
    });
    assert.match(summary(), /#### Checks\n\n- \*\*tests\*\* failed \(warning\): src\/load\.ts changed/);
    assert.doesNotMatch(summary(), /\*\*title\*\*/);
    assert.equal((await runs()).length, before, 'nothing was reviewed again');

    const count = shown().length;
    double.state.comment(pull, forge.ben, 'nice');
    await bring();
    assert.equal(shown().length, count, 'what is shown already is not sent again');

    await git.commit({ 'src/load.test.ts': 'import "./load.ts";\n' });
    await git.push(pull, 'topic');
    await bring();
    assert.deepEqual(shown().at(-1), ['success', '7 checks passed']);
    const head = git.repository.statuses.findLast(({ name }) => name === 'postil/checks');
    assert.equal(head?.sha, pull.commits.at(-1)!.sha);

    double.state.edit(pull, { description: 'Closes #8. It is too short.' });
    await bring();
    assert.deepEqual(shown().at(-1), [red, 'Failed: linked_issue']);
    if (provider !== 'gitea') {
      // Linked beside the text: the hosts tell of it with the next change of the pull request.
      pull.linked = [7];
      double.state.edit(pull, { title: 'feat: two and more' });
      await bring();
      assert.deepEqual(shown().at(-1), [grey, 'Warning: description'], 'linked at the host');
      pull.linked = [];
      double.state.edit(pull, { title: 'feat: two' });
      await bring();
      assert.deepEqual(shown().at(-1), [red, 'Failed: linked_issue']);
    }

    double.state.edit(pull, { title: 'wrong' });
    const older = double.takeDeliveries();
    double.state.edit(pull, { title: 'feat: three' });
    const newer = double.takeDeliveries();
    for (const deliveries of [newer, older, newer, older]) {
      for (const delivery of deliveries) assert.equal((await deliver(app, delivery)).status, 202);
      await settled(app);
      assert.deepEqual(shown().at(-1), [red, 'Failed: linked_issue'], 'the newest title counts');
    }
    double.state.end(pull, 'closed');
    double.state.edit(pull, { title: 'whatever' });
    await bring();
    assert.deepEqual(shown().at(-1), [red, 'Failed: linked_issue'], 'one that is closed stays as it was');

    await owned.git('checkout', '--quiet', '-b', 'topic');
    await owned.commit({ 'src/a.ts': 'export const a = 1;\n', CODEOWNERS: '' });
    const asked = await owned.open(forge.ada, 'topic');
    double.state.review(asked, forge.ada, { state: 'approved' });
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), [red, 'Failed: owners'], 'not by the author');
    const approval = double.state.review(asked, forge.ben, { state: 'approved' });
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), ['success', '1 check passed']);
    await owned.commit({ 'src/a.ts': 'export const a = 2;\n' });
    await owned.push(asked, 'topic');
    await bring();
    const isCounted = provider !== 'gitea';
    assert.equal(
      shown(owned.repository).at(-1)![0],
      isCounted ? 'success' : red,
      'what the host calls outdated counts no more',
    );
    double.state.review(asked, forge.ben, { state: 'approved' });
    for (const review of asked.reviews) if (review.user === approval.user) review.isDismissed = true;
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), [red, 'Failed: owners'], 'dismissed');

    await mistyped.git('checkout', '--quiet', '-b', 'topic');
    await mistyped.commit({ 'src/a.ts': 'export const a = 1;\n' });
    const unchecked = await mistyped.open(forge.ada, 'topic');
    await bring();
    const undecided = [grey, 'Inconclusive: configuration'];
    assert.deepEqual(
      shown(mistyped.repository).at(-1),
      undecided,
      'nobody knows what a faulty file asks for',
    );

    await app.database.sql`
      UPDATE members SET role = 'cr_admin' WHERE provider_user_id = ${String(forge.ada.id)}`;
    const enforced = { enforced_checks: { title: { pattern: '^feat: ', mode: 'error' } } };
    const set = await app.call('PUT', '/v1/settings/reviews', { key, body: enforced });
    assert.equal(set.status, 200, set.text);
    double.state.edit(asked, { description: 'edited' });
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), [red, 'Failed: title, owners'], 'enforced');
    double.state.edit(unchecked, { title: 'feat: a' });
    await bring();
    assert.deepEqual(shown(mistyped.repository).at(-1), undecided, 'never green by what is enforced alone');

    double.state.now = app.now;
    const said = double.state.comment(asked, forge.ada, 'hello');
    await bring();
    double.state.editComment(asked, said, '@postil-bot override owners because I say so');
    await bring();
    assert.match(asked.comments.at(-1)!.body, /I overrode nothing\. Your comment was edited/);
    double.state.comment(asked, forge.ada, '@postil-bot override owners Ben is away');
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), [red, 'Failed: title']);
    double.state.comment(asked, forge.ada, '@postil-bot override title agreed with Ben');
    await bring();
    assert.deepEqual(shown(owned.repository).at(-1), ['success', 'Overridden: title, owners']);
  });
