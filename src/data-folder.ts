import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { DataFolderError } from './db/embedded/embedded-errors.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from './secrets/private-file.ts';

const tokenFile = 'operator-token';
const addressFile = 'server-address';
const minTokenLength = 16;

/** The fault of an operator token; undefined if it is valid. It is sent in a header and must be hard to guess. */
export function operatorTokenFault(token: string): string | undefined {
  if (token.length < minTokenLength) return `must have at least ${minTokenLength} characters`;
  return /^[!-~][ -~]*[!-~]$/.test(token) ? undefined : 'must be printable ASCII characters';
}

/** The operator token stored in the data folder, if there is one, and the owner of the file. */
export async function readOperatorToken(
  dataDirectory: string,
): Promise<{ token: string; owner: number; isReadableByOthers: boolean } | undefined> {
  const file = path.join(dataDirectory, tokenFile);
  const found = await readPrivateFile(file);
  if (found === undefined) return undefined;
  const fault = operatorTokenFault(found.text);
  if (fault !== undefined)
    throw new DataFolderError(
      `The operator token in ${file} ${fault}; correct the file, or delete it and the next start creates a new one`,
    );
  return { token: found.text, owner: found.uid, isReadableByOthers: found.isReadableByOthers };
}

/** The operator token: the configured one, otherwise the one in the data folder, which the first start creates. */
export async function ensureOperatorToken(dataDirectory: string, given: string | undefined) {
  if (given !== undefined) return { token: given, source: 'POSTIL_OPERATOR_TOKEN' };
  const file = path.join(dataDirectory, tokenFile);
  const kept = await readOperatorToken(dataDirectory);
  if (kept?.isReadableByOthers) await chmod(file, 0o600);
  if (kept !== undefined) return { token: kept.token, source: file };
  const token = `pot_${randomBytes(32).toString('base64url')}`;
  if (await createPrivateFile(file, `${token}\n`)) return { token, source: file };
  return { token: (await readOperatorToken(dataDirectory))!.token, source: file };
}

/** Stores the server's address, so that its owner's command line finds it. Returns a function that removes it. */
export async function recordServerAddress(
  dataDirectory: string,
  { address, port }: { address: string; port: number },
): Promise<() => Promise<void>> {
  const file = path.join(dataDirectory, addressFile);
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  await replacePrivateFile(file, `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}\n`);
  const remove = () => rmSync(file, { force: true });
  process.on('exit', remove);
  return async () => {
    process.off('exit', remove);
    remove();
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isThisMachine(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost';
  if (loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')) return true;
  return Object.values(networkInterfaces()).some((cards) => cards?.some(({ address }) => address === host));
}

function isServerUrl(text: string, configuredHost: string): boolean {
  const [, bracketed, plain] = /^http:\/\/(?:\[([^\]]+)\]|([^:/@\s]+)):\d{1,5}$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host !== undefined && (isThisMachine(host) || host === configuredHost);
}

/**
 * The address of the running server of this data folder; undefined if there is none. The operator token will be sent there, so
 * the file must have been written by the server itself, or by somebody who has the token anyway: its owner, its permissions
 * and its content must all be as expected.
 */
export async function readServerAddress(
  dataDirectory: string,
  trusted: { host: string; tokenOwner: number | undefined },
): Promise<string | undefined> {
  const file = path.join(dataDirectory, addressFile);
  const untrusted = (why: string) =>
    new DataFolderError(
      `${why}, so the operator token is not sent there; set POSTIL_URL, or restart the server`,
    );
  const found = await readPrivateFile(file).catch((error: Error) => {
    throw error instanceof DataFolderError ? untrusted(error.message) : error;
  });
  if (found === undefined) return undefined;
  if (found.isReadableByOthers) throw untrusted(`${file} is accessible to other users`);
  const own = process.getuid?.() ?? found.uid;
  if (![own, 0, trusted.tokenOwner].includes(found.uid))
    throw untrusted(`${file} belongs to another user (${found.uid})`);
  if (!isServerUrl(found.text, trusted.host))
    throw untrusted(`${file} does not point to this machine or to POSTIL_HOST`);
  return found.text;
}
