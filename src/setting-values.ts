import { isIP } from 'node:net';
import { z } from 'zod';
import { operatorTokenFault } from './data-folder.ts';
import { faultOfDatabaseUrl, urlWithEncryption } from './db/driver/database-url.ts';
import type { TrustedProxies } from './http/request/caller-address.ts';
import { must, onSound } from './lib/wire/own-checks.ts';
import { type AllowedAddresses, parseAllowedAddresses } from './outbound/address-guard.ts';
import type { MailSettings } from './outbound/mail.ts';

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .check(must((value) => value <= 65_535, 'must be a port number'));

export const days = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of days from 1 to 9999')
  .transform(Number);

export const headerNames = z.string().transform((text, issues) => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))) return names;
  issues.addIssue('must be header names separated by commas');
  return z.NEVER;
});

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

export const operatorToken = z.string().check(
  onSound(({ value: text, issues }) => {
    const fault = operatorTokenFault(text);
    if (fault !== undefined) issues.push({ code: 'custom', message: fault, input: text });
  }),
);

const maxProxies = 10;

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  // Not /0, the whole internet, which would mean trusting everybody.
  return (
    length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128))
  );
}

export const trustedProxies = z.string().transform((text, issues): TrustedProxies => {
  if (text === 'false' || text === '0') return false;
  if (/^\d+$/.test(text) && Number(text) <= maxProxies) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  const reason = text === 'true' ? '; "true" would let callers choose their own address' : '';
  issues.addIssue(
    `must be the number of your proxies in front of the server (1 to ${maxProxies}), or their addresses and networks, such as 10.0.0.0/8, separated by commas${reason}`,
  );
  return z.NEVER;
});

const ownMachine = ['localhost', '127.0.0.1', '[::1]'];

/** Whether nobody on the network can read what is sent to this URL. */
export function isPrivateOrHttps(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ownMachine.includes(hostname);
}

export const allowedAddresses = z.string().transform((text, issues): AllowedAddresses => {
  const parsed = parseAllowedAddresses(text);
  if (typeof parsed !== 'string') return parsed;
  issues.addIssue(
    `${JSON.stringify(parsed.slice(0, 100))} is neither an address, nor a range such as 10.0.0.0/8, nor a host name`,
  );
  return z.NEVER;
});

const urlOfDatabase = (isReplica: boolean) =>
  z.string().transform((url, issues) => {
    const fault = faultOfDatabaseUrl(url, isReplica);
    if (fault === undefined) return url;
    issues.addIssue(fault);
    return z.NEVER;
  });

export const databaseUrl = urlOfDatabase(false);

/** A comma also separates the hosts of one URL, so a new URL starts only at a scheme. */
const splitUrls = (text: string) => text.split(/,(?=\s*postgres(?:ql)?:\/\/)/).map((url) => url.trim());

export const replicaUrls = z
  .string()
  .transform(splitUrls)
  .pipe(z.array(urlOfDatabase(true)));

/** Like in libpq, the environment sets the encryption that a URL does not set itself. */
export function withEncryptionDefaults<Given extends NodeJS.ProcessEnv>(given: Given): Given {
  const { PGSSLMODE: mode, PGSSLROOTCERT: authorities } = given;
  const complete = (url: string) => urlWithEncryption(url, { mode, authorities });
  const { DATABASE_URL: database, DATABASE_REPLICA_URL: replicas } = given;
  return {
    ...given,
    ...(database !== undefined && { DATABASE_URL: complete(database) }),
    ...(replicas !== undefined && { DATABASE_REPLICA_URL: splitUrls(replicas).map(complete).join(',') }),
  };
}

const mailServerFault =
  'must be a URL such as smtp://user:password@mail.example.com:587, or smtps://… for TLS from the first byte';

/** The name and password of a URL; throws if they are not percent-encoded correctly. */
function authOf({ username, password }: URL): MailSettings['auth'] {
  if (username === '') return undefined;
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

/** The mail server. Without TLS a password is accepted only for this machine, so that it is never sent in the clear. */
export const mailServer = z.string().transform((text, issues): Omit<MailSettings, 'from'> => {
  try {
    const url = new URL(text);
    const isSecure = url.protocol === 'smtps:';
    if ((!isSecure && url.protocol !== 'smtp:') || url.hostname === '') throw new Error(mailServerFault);
    const auth = authOf(url);
    return {
      host: url.hostname.replaceAll(/^\[|\]$/g, ''),
      port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
      isSecure,
      requiresTls: !isSecure && auth !== undefined && !ownMachine.includes(url.hostname),
      auth,
    };
  } catch {
    issues.addIssue(mailServerFault);
    return z.NEVER;
  }
});

/** An email address, alone or after a name. */
export const mailSender = z
  .string()
  .regex(
    /^(?:[^<>@\r\n"]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
    'must be an address such as postil@example.com, or Postil <postil@example.com>',
  );
