import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fillForge, hostToken } from '../hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../hosts/github/github-double.ts';
import { GitLabDouble } from '../hosts/gitlab/gitlab-double.ts';
import type { HostDouble } from '../hosts/host-double.ts';

/** Starts the Git hosts that guides mention, with a company on each, and writes a token for all of them to `token.txt`. */
export async function startGuideHosts(checkout: string) {
  const hosts = new Map<string, HostDouble>([
    ['https://git.acme.test', new GiteaDouble()],
    ['https://github.acme.test', new GitHubDouble()],
    ['https://gitlab.acme.test', new GitLabDouble()],
  ]);
  for (const host of hosts.values()) {
    const { app, ada, ben } = fillForge(host);
    for (const author of [ada, ben]) host.state.end(host.state.open(app, author), 'merged');
    host.state.open(app, ada);
    await host.start();
  }
  await writeFile(path.join(checkout, 'token.txt'), `${hostToken}\n`, { mode: 0o600 });
  return {
    addresses: [...hosts].map(([guide, { url }]) => [guide, url] as const),
    async stop(): Promise<void> {
      for (const host of hosts.values()) await host.stop();
    },
  };
}
