import { generateKeyPairSync } from 'node:crypto';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { checkPublishing } from '../../../../test/hosts/contracts/publishing-contract.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';

const credentials = { token: hostToken };
const knowsToken = (token: string) => token === hostToken;
const ofGitHub = {
  provider: 'github',
  isOneReview: true,
  canResolve: true,
  checksPlaces: true,
  suggestion: '```suggestion',
} as const;
const ofGitLab = {
  provider: 'gitlab',
  isOneReview: true,
  canResolve: true,
  checksPlaces: true,
  suggestion: '```suggestion:-2+0',
  states: {
    pending: 'pending',
    success: 'success',
    failure: 'failed',
    neutral: 'skipped',
    warning: 'success',
  },
} as const;
const ofGitea = {
  provider: 'gitea',
  isOneReview: true,
  suggestion: '```',
  states: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    neutral: 'warning',
    warning: 'warning',
  },
} as const;

// All doubles start before the first test: a double stops when no test is left.
const github = await startDouble(new GitHubDouble());
const ofApp = await startDouble(new GitHubDouble());
const gitlab = await startDouble(new GitLabDouble());
const old = await startDouble(new GitLabDouble());
const gitea = await startDouble(new GiteaDouble());
const forgejo = await startDouble(new GiteaDouble());

const withToken = fillForge(github);
checkPublishing({
  ...ofGitHub,
  name: 'GitHub with a token',
  double: github,
  forge: withToken,
  credentials,
  knowsToken,
  account: () => withToken.account,
  // There is no neutral status; pending is neither green nor red.
  states: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    neutral: 'pending',
    warning: 'pending',
  },
});

const withApp = fillForge(ofApp);
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
ofApp.app = {
  id: 77,
  slug: 'postil',
  publicKey: keys.publicKey,
  installations: new Map([[1, withApp.acme]]),
  hook: {},
};
checkPublishing({
  ...ofGitHub,
  name: 'GitHub as an app',
  double: ofApp,
  forge: withApp,
  credentials: { app_id: '77', private_key: keys.privateKey },
  knowsToken: (token) => ofApp.installationTokens.has(token),
  account: () => ofApp.appUser,
  states: {
    pending: 'in_progress',
    success: 'success',
    failure: 'failure',
    neutral: 'neutral',
    warning: 'neutral',
  },
});

const gitlabForge = fillForge(gitlab);
checkPublishing({
  ...ofGitLab,
  name: 'GitLab',
  double: gitlab,
  forge: gitlabForge,
  credentials,
  knowsToken,
  account: () => gitlabForge.account,
});

old.hasDrafts = false;
old.hasSkipped = false;
const oldForge = fillForge(old);
checkPublishing({
  ...ofGitLab,
  name: 'GitLab without drafts',
  isOneReview: false,
  double: old,
  forge: oldForge,
  credentials,
  knowsToken,
  account: () => oldForge.account,
  states: { ...ofGitLab.states, neutral: 'canceled' },
});

Object.assign(gitea, { hasResolve: true, hasReplies: true, failsPastTheEnd: true });
const giteaForge = fillForge(gitea);
checkPublishing({
  ...ofGitea,
  name: 'Gitea',
  double: gitea,
  forge: giteaForge,
  credentials,
  knowsToken,
  account: () => giteaForge.account,
  canResolve: true,
  checksPlaces: true,
});

const forgejoForge = fillForge(forgejo);
checkPublishing({
  ...ofGitea,
  name: 'Forgejo',
  double: forgejo,
  forge: forgejoForge,
  credentials,
  knowsToken,
  account: () => forgejoForge.account,
  canResolve: false,
  checksPlaces: false,
});
