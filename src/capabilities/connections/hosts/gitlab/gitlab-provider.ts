import type { HostKind, TokenCredentials } from '../host.ts';
import { gitLabDelivery } from './gitlab-delivery.ts';
import { connectGitLab } from './gitlab-host.ts';

/** GitLab in the cloud and self-managed. */
export const gitlab: HostKind = {
  provider: 'gitlab',
  cloudUrl: 'https://gitlab.com',
  supportsApps: false,
  appCreation: null,
  ...gitLabDelivery,
  connect: ({ url, credentials, outbound }) =>
    connectGitLab(url, (credentials as TokenCredentials).token, outbound),
};
