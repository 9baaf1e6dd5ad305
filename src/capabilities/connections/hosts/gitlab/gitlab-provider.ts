import type { HostKind, TokenCredentials } from '../host.ts';
import { gitLabDelivery } from './gitlab-delivery.ts';

/** GitLab in the cloud and self-managed. */
export const gitlab: HostKind = {
  provider: 'gitlab',
  cloudUrl: 'https://gitlab.com',
  apiUrl: (url) => `${url}/api/v4`,
  supportsApps: false,
  appCreation: null,
  ...gitLabDelivery,
  // Notes on gitlab.com; a server of one's own allows more: https://docs.gitlab.com/administration/settings/rate_limit_on_notes_creation
  writeLimits: { perMinute: 60, perHour: 3_600 },
  async connect({ url, credentials, outbound, writes }) {
    const { connectGitLab } = await import('./gitlab-host.ts');
    return connectGitLab(url, (credentials as TokenCredentials).token, outbound, writes);
  },
};
