import type { HostKind } from '../host.ts';
import { gitHubAppCreation } from './github-app-manifest.ts';
import { gitHubDelivery } from './github-delivery.ts';
import { connectGitHub } from './github-host.ts';

/** GitHub in the cloud and GitHub Enterprise Server. */
export const github: HostKind = {
  provider: 'github',
  cloudUrl: 'https://github.com',
  supportsApps: true,
  appCreation: gitHubAppCreation,
  ...gitHubDelivery,
  connect: ({ url, credentials, outbound }) => connectGitHub(url, credentials, outbound),
};
