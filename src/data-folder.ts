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

/** What is wrong with an operator token; undefined for a good one. It travels in a header, and must not be guessed. */
export function operatorTokenFault(token: string): string | undefined {
  if (token.length < minTokenLength) return `must have at least ${minTokenLength} characters`;
  return /^[!-~][ -~]*[!-~]$/.test(token) ? undefined : 'must be printable ASCII characters';
}

/** The operator token kept in the data folder, if there is one, and the user whose file it is. */
export async function readOperatorToken(
  dataDirectory: string,
): Promise<{ token: string; owner: number; isExposed: boolean } | undefined> {
  const place = path.join(dataDirectory, tokenFile);
  const found = await readPrivateFile(place);
  if (found === undefined) return undefined;
  const fault = operatorTokenFault(found.text);
  if (fault !== undefined)
    throw new DataFolderError(
      `The operator token in ${place} ${fault}; correct the file, or delete it, and the next start makes a new one`,
    );
  return { token: found.text, owner: found.uid, isExposed: found.isExposed };
}

/** Gives the operator token: the one that was set, else the one kept in the data folder, made at the first start. */
export async function ensureOperatorToken(dataDirectory: string, given: string | undefined) {
  if (given !== undefined) return { token: given, place: 'POSTIL_OPERATOR_TOKEN' };
  const place = path.join(dataDirectory, tokenFile);
  const kept = await readOperatorToken(dataDirectory);
  if (kept?.isExposed) await chmod(place, 0o600);
  if (kept !== undefined) return { token: kept.token, place };
  const token = `pot_${randomBytes(32).toString('base64url')}`;
  if (await createPrivateFile(place, `${token}\n`)) return { token, place };
  return { token: (await readOperatorToken(dataDirectory))!.token, place };
}

/** Notes where the server listens, so that the command line of its owner finds it. Gives how to take the note away. */
export async function noteServerAddress(
  dataDirectory: string,
  { address, port }: { address: string; port: number },
): Promise<() => Promise<void>> {
  const place = path.join(dataDirectory, addressFile);
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  await replacePrivateFile(place, `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}\n`);
  const remove = () => rmSync(place, { force: true });
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
 * Where the server of this data folder listens, if one runs. The operator token goes there, so that only the server itself,
 * or somebody who has the token anyway, may have written the note: whose file it is, who else could change it, and where
 * it leads must all be right.
 */
export async function readServerAddress(
  dataDirectory: string,
  trusted: { host: string; tokenOwner: number | undefined },
): Promise<string | undefined> {
  const place = path.join(dataDirectory, addressFile);
  const refuse = (why: string) =>
    new DataFolderError(
      `${why}, so that the operator token is not sent where it leads; set POSTIL_URL, or restart the server`,
    );
  const found = await readPrivateFile(place).catch((error: Error) => {
    throw error instanceof DataFolderError ? refuse(error.message) : error;
  });
  if (found === undefined) return undefined;
  if (found.isExposed) throw refuse(`${place} is open to other users`);
  const own = process.getuid?.() ?? found.uid;
  if (![own, 0, trusted.tokenOwner].includes(found.uid))
    throw refuse(`${place} belongs to another user (${found.uid})`);
  if (!isServerUrl(found.text, trusted.host))
    throw refuse(`${place} does not lead to this machine or to POSTIL_HOST`);
  return found.text;
}
