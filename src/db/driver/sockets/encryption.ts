import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import tls from 'node:tls';

/** How a connection is to be encrypted. */
export interface Encryption {
  /** `allow` is treated like `prefer`: encrypted where the server offers it. */
  readonly mode: 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  /** A file with the certificate authorities to trust; those of Node if not given. */
  readonly authorities?: string | undefined;
  /** The files of our client certificate and its key. */
  readonly own?: { readonly certificate: string; readonly key: string } | undefined;
  /** Start with TLS at once, instead of negotiating it with the server first. */
  readonly isDirect: boolean;
}

export const encryptionModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** Modes in which a connection may be unencrypted, or lead to a server that was not verified. */
const weakModes = ['disable', 'allow', 'prefer'];

/** The value of `sslrootcert` for the certificate authorities that Node trusts. */
const trusted = 'system';

function modeOf(parameters: URLSearchParams): string {
  return parameters.get('sslmode') ?? (parameters.get('sslrootcert') === trusted ? 'verify-full' : 'disable');
}

/** Parses the encryption parameters of a URL, with the meaning they have in libpq; undefined if there is to be no encryption. */
export function encryptionOf(parameters: URLSearchParams): Encryption | undefined {
  const mode = modeOf(parameters);
  if (mode === 'disable') return undefined;
  const authorities = parameters.get('sslrootcert') ?? trusted;
  const [certificate, key] = [parameters.get('sslcert'), parameters.get('sslkey')];
  return {
    mode: mode as Encryption['mode'],
    authorities: authorities === trusted ? undefined : authorities,
    own: certificate === null || key === null ? undefined : { certificate, key },
    isDirect: parameters.get('sslnegotiation') === 'direct',
  };
}

/** What is wrong with the parameters; undefined if nothing is. Combinations that protect less than was asked for are errors. */
export function faultOfEncryption(parameters: URLSearchParams): string | undefined {
  const mode = modeOf(parameters);
  const authorities = parameters.get('sslrootcert');
  const negotiation = parameters.get('sslnegotiation');
  if (!encryptionModes.includes(mode)) return `sslmode must be one of ${encryptionModes.join(', ')}`;
  if (authorities === trusted && mode !== 'verify-full')
    return 'sslrootcert=system needs sslmode=verify-full: anybody can get a certificate of their own';
  if (authorities !== null && weakModes.includes(mode))
    return 'sslrootcert needs sslmode=verify-full, verify-ca or require';
  if (authorities === null && mode === 'verify-ca')
    return 'sslmode=verify-ca needs a file in sslrootcert; without one, use verify-full';
  if (parameters.has('sslcert') !== parameters.has('sslkey')) return 'sslcert and sslkey are needed together';
  if (parameters.has('sslcert') && mode === 'disable') return 'sslcert needs an sslmode';
  if (negotiation !== null && !['postgres', 'direct'].includes(negotiation))
    return 'sslnegotiation must be postgres or direct';
  if (negotiation === 'direct' && weakModes.includes(mode))
    return 'sslnegotiation=direct needs sslmode=require, verify-ca or verify-full';
  const encryption = encryptionOf(parameters);
  return encryption && faultOfFiles(encryption);
}

/** The defaults that a URL does not set itself. A mode without verification gets no certificate authorities. */
export function missingEncryption(
  query: string,
  mode: string | undefined,
  authorities: string | undefined,
): URLSearchParams {
  const said = new URLSearchParams(query);
  const missing = new URLSearchParams();
  const isWeak = weakModes.includes(said.get('sslmode') ?? '');
  if (mode !== undefined && !said.has('sslmode') && said.get('sslrootcert') !== trusted)
    missing.set('sslmode', mode);
  if (authorities !== undefined && !said.has('sslrootcert') && !isWeak)
    missing.set('sslrootcert', authorities);
  return missing;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

/** Reads the files at the start, so that a bad one is reported then and not on the first connection. */
function faultOfFiles({ authorities, own }: Encryption): string | undefined {
  const isCertificate = (text: string) => void new X509Certificate(text);
  const files: [name: string, file: string | undefined, check: (text: string) => void][] = [
    ['sslrootcert', authorities, isCertificate],
    ['sslcert', own?.certificate, isCertificate],
    ['sslkey', own?.key, (key) => void tls.createSecureContext({ key })],
  ];
  for (const [name, file, check] of files) {
    if (file === undefined) continue;
    try {
      check(readFileSync(file, 'utf8'));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const what = name === 'sslkey' ? 'a private key without a password' : 'a certificate';
      return `${name}: ${file} cannot be used: ${reasons[code] ?? (/^E[A-Z]+$/.test(code) ? code : `it does not begin with ${what}`)}`;
    }
  }
  try {
    if (own !== undefined)
      tls.createSecureContext({ cert: readFileSync(own.certificate), key: readFileSync(own.key) });
  } catch {
    return `sslkey: ${own!.key} does not belong to the certificate in ${own!.certificate}`;
  }
  return undefined;
}

interface Prepared {
  readonly texts: readonly (string | undefined)[];
  readonly context: tls.SecureContext;
}

/** The parsed certificates of the last read, by their files: parsing a hundred takes as many milliseconds. */
const prepared = new Map<string, Prepared>();

/** Reads the files for each connection, since they are replaced before they expire. */
async function contextOf({ authorities, own }: Encryption): Promise<tls.SecureContext | undefined> {
  if (authorities === undefined && own === undefined) return undefined;
  const files = [authorities, own?.certificate, own?.key];
  const texts = await Promise.all(files.map((file) => (file === undefined ? file : readFile(file, 'utf8'))));
  const name = JSON.stringify(files);
  const before = prepared.get(name);
  if (before?.texts.every((text, index) => text === texts[index])) return before.context;
  const [ca, cert, key] = texts;
  const context = tls.createSecureContext({ ca, cert, key });
  prepared.set(name, { texts, context });
  return context;
}

/** TLS options for a connection to this host, including what is verified. */
export async function tlsOptions(encryption: Encryption, host: string): Promise<tls.ConnectionOptions> {
  const { mode, authorities, isDirect } = encryption;
  const isVerified = mode.startsWith('verify') || (mode === 'require' && authorities !== undefined);
  const secureContext = await contextOf(encryption);
  return {
    host,
    servername: net.isIP(host) ? '' : host,
    rejectUnauthorized: isVerified,
    ...(secureContext && { secureContext }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
  };
}
