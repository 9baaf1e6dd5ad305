import type { HostKind } from '../host.ts';
import { gitHubAppCreation } from './github-app-manifest.ts';
import { gitHubDelivery } from './github-delivery.ts';
import { apiUrl } from './github-url.ts';

/** GitHub in the cloud and GitHub Enterprise Server. */
export const github: HostKind = {
  provider: 'github',
  cloudUrl: 'https://github.com',
  apiUrl,
  supportsApps: true,
  appCreation: gitHubAppCreation,
  ...gitHubDelivery,
  // What creates content: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  writeLimits: { perMinute: 80, perHour: 500 },
  async connect({ url, credentials, outbound, writes }) {
    const { connectGitHub } = await import('./github-host.ts');
    return connectGitHub(url, credentials, outbound, writes);
  },
};
