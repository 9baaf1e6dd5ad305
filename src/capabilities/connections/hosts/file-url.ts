import type { Provider } from '../../../lib/ids.ts';

/** A file at a commit. */
export interface HostedFile {
  readonly provider: Provider;
  readonly repositoryUrl: string;
  readonly revision: string;
  readonly path: string;
}

/** Between the address of a repository and a commit, by provider. */
const commitPaths: Readonly<Partial<Record<Provider, string>>> = {
  github: 'blob',
  gitlab: '-/blob',
  bitbucket: 'src',
  gitea: 'src/commit',
};

/** The address of a file at its Git host; null where it is not known, or the path would lead elsewhere. */
export function fileUrl({ provider, repositoryUrl, revision, path }: HostedFile): string | null {
  const commitPath = commitPaths[provider];
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (commitPath === undefined || !isPlain || !/^https?:\/\//.test(repositoryUrl)) return null;
  return [repositoryUrl, commitPath, ...[revision, ...parts].map(encodePart)].join('/');
}

/** The address of one line of a file, as its host writes it. */
export function lineUrl(file: HostedFile, line: number): string | null {
  const url = fileUrl(file);
  return url === null ? null : `${url}#${file.provider === 'bitbucket' ? 'lines-' : 'L'}${line}`;
}

/** Whoever made the file chose its name: nothing in it may end a link, or mean something to whatever reads the address. */
function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
