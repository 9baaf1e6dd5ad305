import type { HostKind, TokenCredentials } from '../host.ts';
import { giteaDelivery } from './gitea-delivery.ts';

/** Gitea and Forgejo. */
export const gitea: HostKind = {
  provider: 'gitea',
  cloudUrl: null,
  apiUrl: (url) => `${url}/api/v1`,
  supportsApps: false,
  appCreation: null,
  ...giteaDelivery,
  writeLimits: null,
  async connect({ url, credentials, outbound }) {
    const { connectGitea } = await import('./gitea-host.ts');
    return connectGitea(url, (credentials as TokenCredentials).token, outbound);
  },
};
