import type { Provider } from '../../../lib/ids.ts';
import { fileUrl } from '../../connections/hosts/file-url.ts';

export interface CodePlace {
  readonly provider: Provider;
  /** The URL of any pull request of the repository, from which the repository's URL is derived. */
  readonly pullRequestUrl: string | null;
  readonly revision: string;
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The part of a pull request's URL after the repository's URL, by provider. */
const pullRequestPaths = [/\/-\/merge_requests\/\d+.*$/, /\/pull-requests\/\d+.*$/, /\/pulls?\/\d+.*$/];

function repositoryUrl(pullRequestUrl: string): string | undefined {
  for (const path of pullRequestPaths) {
    const url = pullRequestUrl.replace(path, '');
    if (url !== pullRequestUrl) return url;
  }
  return undefined;
}

/** The URL of the code at its Git host; null if the host or the file is unknown. */
export function codeUrl({ provider, pullRequestUrl, revision, filePath, startLine, endLine }: CodePlace) {
  const repository = pullRequestUrl === null ? undefined : repositoryUrl(pullRequestUrl);
  if (repository === undefined) return null;
  const url = fileUrl({ provider, repositoryUrl: repository, revision, path: filePath });
  return url === null ? null : `${url}#${linesOf(provider, startLine, endLine)}`;
}

function linesOf(provider: Provider, startLine: number, endLine: number): string {
  if (provider === 'bitbucket') return `lines-${startLine}:${endLine}`;
  return provider === 'gitlab' ? `L${startLine}-${endLine}` : `L${startLine}-L${endLine}`;
}
