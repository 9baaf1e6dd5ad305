import { type GitCall, GitError, runGit } from '../../../reviewer/repository/run-git.ts';
import type { CloneSource } from '../../connections/hosts/review-host.ts';
import { listPacks, remoteName, removePacks, sizeOf } from './mirror-folder.ts';

export interface FetchLimits {
  /** How large one mirror may become. */
  readonly maxBytes: number;
  readonly maxSeconds: number;
  readonly searchPath: string | undefined;
}

const watchMs = 500;
/** The longest message read from a host besides objects; real ones are a line. */
const maxSaid = 65_536;

/**
 * The Git configuration of one call, as environment variables: command lines can be read by every user of the machine, and a
 * file would leave the credentials on disk. The header is sent to this host only, and redirects are not followed.
 */
export function callConfiguration({ url, authorization }: CloneSource): Record<string, string> {
  const entries: [string, string][] = [
    [`remote.${remoteName}.url`, url],
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['credential.helper', ''],
    ['fetch.negotiationAlgorithm', 'default'],
    ['protocol.version', '2'],
    ['transfer.bundleURI', 'false'],
  ];
  if (authorization !== null)
    entries.push([`http.${new URL(url).origin}/.extraHeader`, `Authorization: ${authorization}`]);
  const variables = entries.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(entries.length) };
}

const common = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--filter=blob:none',
];

async function runFetch(
  given: readonly string[],
  input: string,
  folder: string,
  source: CloneSource,
  { maxBytes, maxSeconds, searchPath }: FetchLimits,
  signal: AbortSignal,
): Promise<string> {
  const tooMuch = new AbortController();
  const before = await listPacks(folder);
  const call: GitCall = {
    folder,
    searchPath,
    signal: AbortSignal.any([signal, tooMuch.signal]),
    timeoutMs: maxSeconds * 1000,
    variables: { GIT_DIR: folder, GIT_ALLOW_PROTOCOL: 'http:https', ...callConfiguration(source) },
  };
  const checkSize = async () => {
    if ((await sizeOf(folder)) > maxBytes) tooMuch.abort();
  };
  const watch = setInterval(() => void checkSize(), watchMs);
  try {
    const said = await runGit(given, call, input);
    await checkSize();
    tooMuch.signal.throwIfAborted();
    return said.toString('latin1', 0, maxSaid);
  } catch (error) {
    await removePacks(folder, tooMuch.signal.aborted ? before : null);
    signal.throwIfAborted();
    if (tooMuch.signal.aborted)
      throw new GitError('too_much', `its mirror would be larger than ${maxBytes} bytes`);
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** Fetches refs of the host, as `+<theirs>:<ours>`, with their commits and trees. */
export async function fetchRefs(
  folder: string,
  source: CloneSource,
  refs: readonly string[],
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  await runFetch(['fetch', ...common, '--force', remoteName, ...refs], '', folder, source, limits, signal);
}

/** Fetches objects by their ids. */
export async function fetchById(
  folder: string,
  source: CloneSource,
  ids: readonly string[],
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  // Without this, negotiation would tell the host which commits we have, and the host would leave out their files, which
  // were never fetched.
  const asked = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', ...common, '--stdin', remoteName];
  await runFetch(asked, ids.map((id) => `${id}\n`).join(''), folder, source, limits, signal);
}

/** The ref for the newest commit of the default branch, in copies that contain nothing else. */
export const tipRef = 'refs/postil/tip';

/** The newest commit of the default branch; undefined if the repository is empty. Fetches nothing. */
export async function readTip(
  folder: string,
  source: CloneSource,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<string | undefined> {
  const said = await runFetch(
    ['ls-remote', '--quiet', remoteName, 'HEAD'],
    '',
    folder,
    source,
    limits,
    signal,
  );
  return /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1];
}

/** Fetches the newest commit of the default branch with its trees, without its history. */
export async function fetchTip(
  folder: string,
  source: CloneSource,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  const given = ['fetch', ...common, '--depth=1', '--force', remoteName, `+HEAD:${tipRef}`];
  await runFetch(given, '', folder, source, limits, signal);
}
