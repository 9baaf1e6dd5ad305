import { checkedKind } from './checked-host.ts';
import { gitea } from './gitea/gitea-provider.ts';
import { github } from './github/github-provider.ts';
import { gitlab } from './gitlab/gitlab-provider.ts';
import type { HostKind, HostProvider } from './host.ts';

const kinds: Readonly<Record<HostProvider, HostKind>> = {
  github: checkedKind(github),
  gitlab: checkedKind(gitlab),
  gitea: checkedKind(gitea),
};

/** The hosts that can be connected to. */
export const connectableProviders = Object.keys(kinds) as HostProvider[];

/** What is known about the hosts of a provider. */
export function hostKind(provider: HostProvider): HostKind {
  return kinds[provider];
}
