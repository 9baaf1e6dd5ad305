import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';
import { anyAddress } from '../../../outbound/address-guard.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import { connectGitea } from './gitea/gitea-host.ts';
import { connectGitHub } from './github/github-host.ts';
import { connectGitLab } from './gitlab/gitlab-host.ts';

const outbound = createOutbound(anyAddress);
after(() => outbound.close());
const hosts = {
  github: {
    double: new GitHubDouble(),
    connect: (url: string) => connectGitHub(url, { token: hostToken }, outbound),
    expected: ['#7'],
  },
  gitlab: {
    double: new GitLabDouble(),
    connect: (url: string) => connectGitLab(url, hostToken, outbound),
    expected: ['#7'],
  },
  gitea: {
    double: new GiteaDouble(),
    connect: (url: string) => connectGitea(url, hostToken, outbound),
    expected: [],
  },
};

for (const [provider, { double, connect, expected }] of Object.entries(hosts))
  test(`${provider}: issues that somebody linked beside the text of a pull request are known, where the host keeps such links`, async () => {
    await startDouble(double);
    const forge = fillForge(double);
    const repository = double.state.addRepository(forge.acme, 'linking');
    const pull = double.state.open(repository, forge.ada);
    const host = connect(double.url);
    const of = { id: String(repository.id), fullName: `${forge.acme.name}/linking` };
    assert.deepEqual(await host.listLinkedIssues(of, pull.number), []);
    pull.linked = [7];
    const linked = await host.listLinkedIssues(of, pull.number);
    assert.deepEqual(
      linked.map(({ reference }) => reference),
      expected,
    );
    assert.ok(linked.every(({ isHere }) => isHere));
  });
