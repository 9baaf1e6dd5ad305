import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { readOperatorToken, readServerAddress } from '../../data-folder.ts';
import type { Settings } from '../../settings.ts';

const maxMs = 5_000;
const localOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** These errors are about the address, not about a program that holds the port. */
const notHere = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']);

/** Whether commands know an address of a server; then the check of the server says what is wrong with it. */
export async function knowsServer({ dataDirectory, host, serverUrl }: Settings): Promise<boolean> {
  if (serverUrl !== undefined) return true;
  const saved = await readOperatorToken(dataDirectory).catch(() => undefined);
  return readServerAddress(dataDirectory, { host, tokenOwner: saved?.owner }).then(
    (address) => address !== undefined,
    () => true,
  );
}

/** Describes the port of a server that does not run; throws if another program holds it, since then no server can start. */
export async function describePort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<string> {
  if (port === 0) return 'any free one';
  const holder = await holderOf(localOf[host] ?? host, port);
  if (holder === 'nobody') return `${port} is free`;
  if (holder === 'Postil')
    throw new Error(
      `${port} is held by a Postil server with another data folder: set POSTIL_DATA_DIR to its folder, or choose another port with POSTIL_PORT`,
    );
  throw new Error(
    `${port} is held by another program (what answers is not Postil): stop it, or choose another port with POSTIL_PORT`,
  );
}

async function holderOf(host: string, port: number): Promise<'nobody' | 'Postil' | 'another'> {
  try {
    const said = JSON.stringify(await ask(host, port));
    return said.includes('The operator token is missing') ? 'Postil' : 'another';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (notHere.has(code))
      throw new Error(`${host} in POSTIL_HOST is not an address of this machine (${code})`);
    // What answers in another way than Postil does, or not at all, is another program.
    return code === 'ECONNREFUSED' ? 'nobody' : 'another';
  }
}

/** The answer to a request without a token, which every Postil server refuses in the same words. */
function ask(host: string, port: number): Promise<unknown> {
  const signal = AbortSignal.timeout(maxMs);
  return new Promise((resolve, reject) => {
    get({ host, port, path: '/operator/v1/keys', signal, agent: false }, (response) =>
      json(response).then(resolve, reject),
    ).once('error', reject);
  });
}
