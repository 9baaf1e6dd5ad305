import type { HostKind, TokenCredentials } from '../host.ts';
import { giteaDelivery } from './gitea-delivery.ts';
import { connectGitea } from './gitea-host.ts';

/** Gitea and Forgejo. */
export const gitea: HostKind = {
  provider: 'gitea',
  cloudUrl: null,
  supportsApps: false,
  appCreation: null,
  ...giteaDelivery,
  writeLimits: null,
  connect: ({ url, credentials, outbound }) =>
    connectGitea(url, (credentials as TokenCredentials).token, outbound),
};
