import type { Provider } from '../../../lib/ids.ts';

export interface CodePlace {
  readonly provider: Provider;
  /** The address of any pull request of the repository, which shows where its host has it. */
  readonly pullRequestUrl: string | null;
  readonly revision: string;
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** What follows the address of a repository in that of a pull request, by provider. */
const pullRequestPaths = [/\/-\/merge_requests\/\d+.*$/, /\/pull-requests\/\d+.*$/, /\/pulls?\/\d+.*$/];

function repositoryUrl(pullRequestUrl: string): string | undefined {
  for (const path of pullRequestPaths) {
    const url = pullRequestUrl.replace(path, '');
    if (url !== pullRequestUrl) return url;
  }
  return undefined;
}

/** The address of the code at its Git host; null where the host or the file is not known. */
export function codeUrl({ provider, pullRequestUrl, revision, filePath, startLine, endLine }: CodePlace) {
  const repository = pullRequestUrl === null ? undefined : repositoryUrl(pullRequestUrl);
  if (repository === undefined || !/^https?:\/\//.test(repository) || filePath === '') return null;
  const file = filePath.split('/').map(encodeURIComponent).join('/');
  const commit = encodeURIComponent(revision);
  switch (provider) {
    case 'github':
      return `${repository}/blob/${commit}/${file}#L${startLine}-L${endLine}`;
    case 'gitlab':
      return `${repository}/-/blob/${commit}/${file}#L${startLine}-${endLine}`;
    case 'bitbucket':
      return `${repository}/src/${commit}/${file}#lines-${startLine}:${endLine}`;
    case 'gitea':
      return `${repository}/src/commit/${commit}/${file}#L${startLine}-L${endLine}`;
    default:
      return null;
  }
}
