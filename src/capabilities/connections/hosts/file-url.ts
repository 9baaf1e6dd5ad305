import type { Provider } from '../../../lib/ids.ts';

/** A file at a commit. */
export interface HostedFile {
  readonly provider: Provider;
  readonly repositoryUrl: string;
  readonly revision: string;
  readonly path: string;
}

/** The path between the URL of a repository and a commit, by provider. */
const commitPaths: Readonly<Partial<Record<Provider, string>>> = {
  github: 'blob',
  gitlab: '-/blob',
  bitbucket: 'src',
  gitea: 'src/commit',
};

/** The URL of a file at its Git host; null if the provider is unknown or the path contains empty, `.` or `..` segments. */
export function fileUrl({ provider, repositoryUrl, revision, path }: HostedFile): string | null {
  const commitPath = commitPaths[provider];
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (commitPath === undefined || !isPlain || !/^https?:\/\//.test(repositoryUrl)) return null;
  return [repositoryUrl, commitPath, ...[revision, ...parts].map(encodePart)].join('/');
}

/** The URL of one line of a file. */
export function lineUrl(file: HostedFile, line: number): string | null {
  const url = fileUrl(file);
  return url === null ? null : `${url}#${file.provider === 'bitbucket' ? 'lines-' : 'L'}${line}`;
}

/**
 * Percent-encodes even what encodeURIComponent leaves alone: file names are untrusted, and must neither end a Markdown link
 * nor have a meaning within the URL.
 */
function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
