import type { Rule } from '../rule.ts';
import type { Scan } from '../scan.ts';
import { BASE62, BASE64, BASE64_URL, HEX, startsToken, token, UUID } from '../token-rule.ts';
import { isFiller, isReference, looksRandom } from '../value-shape.ts';

/** The user name may stay; the password between `:` and the last `@` before the host may not. */
const USER_INFO = /([^\s:/?#"'<>`@,;(){}]{0,100}):([^\s/"'<>`]{1,200})@(?=[\w[%$-])/y;
/** A lone user name that is a token, as in `https://<token>@host`. */
const LONE_USER = /([^\s:/?#"'<>`@,;(){}]{16,200})@(?=[\w[%$-])/y;

const urlCredentials: Rule = {
  id: 'url-credentials',
  keywords: ['://'],
  find(scan, _start, end) {
    const { text } = scan;
    USER_INFO.lastIndex = end;
    const pair = USER_INFO.exec(text);
    if (pair) {
      const [whole, user = '', password = ''] = pair;
      const isStandIn = isTemplate(password) || /^[*x.]+$/i.test(password);
      if (!isStandIn) scan.report(end + user.length + 1, end + whole.length - 1);
      if (looksRandom(user, 20)) scan.report(end, end + user.length);
      return;
    }
    LONE_USER.lastIndex = end;
    const user = LONE_USER.exec(text)?.[1];
    if (user !== undefined && looksRandom(user, 16) && !isReference(user))
      scan.report(end, end + user.length);
  },
};

/** Unlike in an assignment, a mere word in the password's place of an address is a password. */
function isTemplate(password: string): boolean {
  return /^(?:\$[\w{(]|<|\{|%\w|\[|#\{)/.test(password);
}

const SCHEME =
  /(?:Basic|Bearer|Token|Api-?Token|Api-?Key|Key|SSWS|Digest|Splunk|GenieKey|OAuth|Bot|MAC|Signature|token=)[ \t]{1,3}/iy;
const CREDENTIAL = /[\w=~@.+/:%!|-]{6,200}/y;
const CREDENTIAL_REST = /[\w=~@.+/:%!|-]{0,5000}/y;
const HEADER_JOINT = /\\?["'`]?\]?[ \t]{0,5}(?:=>|[:=,])[ \t]{0,5}\\?["'`]?(?:\s{1,20}["'`])?/y;

const authorizationHeader: Rule = {
  id: 'authorization-header',
  keywords: ['authorization'],
  find(scan, _start, end) {
    const { text } = scan;
    HEADER_JOINT.lastIndex = end;
    if (!HEADER_JOINT.test(text)) return;
    const at = HEADER_JOINT.lastIndex;
    SCHEME.lastIndex = at;
    const scheme = SCHEME.exec(text)?.[0] ?? '';
    reportCredential(scan, at + scheme.length, scheme.trim() ? 6 : 16);
  },
};

const bareScheme: Rule = {
  id: 'authorization-scheme',
  keywords: ['bearer ', 'basic '],
  find(scan, start, end) {
    const { text } = scan;
    if (startsToken(text, start)) reportCredential(scan, end, 16);
  },
};

function reportCredential(scan: Scan, from: number, minimumLength: number): void {
  CREDENTIAL.lastIndex = from;
  const found = CREDENTIAL.exec(scan.text)?.[0].replace(/[.:!]{1,10}$/, '');
  if (found === undefined || found.length < minimumLength) return;
  if (!looksRandom(found, minimumLength, 2.5) && !isEncodedPair(found)) return;
  if (isReference(found) || isFiller(found)) return;
  CREDENTIAL_REST.lastIndex = from + found.length;
  CREDENTIAL_REST.test(scan.text);
  scan.report(from, found.length < 190 ? from + found.length : CREDENTIAL_REST.lastIndex);
}

/** `user:password` in base64, as the Basic scheme sends it. */
function isEncodedPair(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{6,400}={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded);
}

const SIGNATURE_NAME = /[?&;](?:x-(?:amz|goog|ms)-)?$/i;
const SIGNATURE = /[\w%+/.~-]{16,3000}={0,2}/y;

const querySignature: Rule = {
  id: 'query-signature',
  keywords: ['sig=', 'signature=', 'security-token='],
  find(scan, start, end) {
    if (!SIGNATURE_NAME.test(scan.text.slice(Math.max(0, start - 8), start))) return;
    SIGNATURE.lastIndex = end;
    const value = SIGNATURE.exec(scan.text)?.[0];
    if (value !== undefined && looksRandom(value.slice(0, 200), 16)) scan.report(end, end + value.length);
  },
};

/** Rules that recognise a credential by the place it stands in. */
export const structureRules: readonly Rule[] = [
  urlCredentials,
  authorizationHeader,
  bareScheme,
  querySignature,
  token(
    'jwt',
    'eyJ',
    `${BASE64_URL}{8,3000}\\.${BASE64_URL}{8,5000}(?:\\.${BASE64_URL}{10,3000}){0,3}={0,2}`,
  ),
  token('jwt-base64', 'ZXlK', `${BASE64}{60,8000}={0,2}`),
  token('private-key-base64', 'LS0tLS1CRUdJTi', `${BASE64}{50,12000}={0,2}`),
  token(
    'putty-private-key',
    'Private-Lines:',
    `[ \\t]{0,3}[0-9]{1,3}\\s{1,3}(?:${BASE64}{1,80}={0,2}\\s{0,3}){1,60}`,
  ),
  token('age-secret-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,64}', {
    ignoreCase: true,
  }),
  token('password-hash', ['$2a$', '$2b$', '$2x$', '$2y$'], '[0-9]{2}\\$[./A-Za-z0-9]{53}', {
    anywhere: true,
  }),
  token(
    'password-hash-crypt',
    ['$1$', '$5$', '$6$', '$8$', '$y$'],
    '(?:rounds=[0-9]{1,9}\\$)?[./A-Za-z0-9]{3,16}\\$[./A-Za-z0-9]{22,86}',
    { anywhere: true },
  ),
  token(
    'password-hash-argon2',
    '$argon2',
    'i?d?\\$(?:v=[0-9]{1,3}\\$)?[mtp=,0-9]{5,40}\\$[A-Za-z0-9+/]{8,100}\\$[A-Za-z0-9+/]{16,200}',
    { anywhere: true },
  ),
  token('npm-registry-auth', [':_authToken=', ':_auth=', ':_password='], '[ ]?[^\\s"\'$<{]{4,400}', {
    anywhere: true,
    ignoreCase: true,
    keepPrefix: true,
    check: () => true,
  }),
  token('sidekiq-license', ['contribsys__com', 'contribsys.com'], `[:= "']{1,4}${HEX}{8}:${HEX}{8}`, {
    anywhere: true,
    ignoreCase: true,
    keepPrefix: true,
  }),
  token('django-insecure-key', 'django-insecure-', '[^"\'\\s]{1,250}', { anywhere: true, check: () => true }),
  token('laravel-app-key', 'base64:', `${BASE64}{43}=`),
  token('facebook-app-token', ['|', '%7C'], `${BASE64_URL}{27,40}(?![\\w-])`, {
    leadingDigits: [15, 16],
    ignoreCase: true,
  }),
  token('telegram-bot-token', ':A', `${BASE64_URL}{33,36}(?![\\w-])`, { leadingDigits: [5, 16] }),
  token(
    'slack-webhook',
    ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    '[\\w/+-]{20,120}',
    { anywhere: true, keepPrefix: true },
  ),
  token(
    'discord-webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    `[0-9]{10,25}/${BASE64_URL}{20,120}`,
    { anywhere: true, keepPrefix: true },
  ),
  token('teams-webhook', ['/webhookb2/', 'office.com/webhook/'], `${UUID}@${UUID}/[\\w/-]{10,200}`, {
    anywhere: true,
    keepPrefix: true,
    ignoreCase: true,
  }),
  token('zapier-webhook', 'hooks.zapier.com/hooks/catch/', '[0-9]{1,12}/\\w{5,20}', {
    anywhere: true,
    keepPrefix: true,
    check: () => true,
  }),
  token('ifttt-webhook', '/with/key/', `${BASE64_URL}{20,60}`, { anywhere: true, keepPrefix: true }),
  token(
    'feishu-webhook',
    ['/open-apis/bot/v2/hook/', 'qyapi.weixin.qq.com/cgi-bin/webhook/send?key='],
    UUID,
    { anywhere: true, keepPrefix: true },
  ),
  token('thingsboard-device-url', 'thingsboard.cloud/api/v1/', `${BASE62}{16,32}`, {
    anywhere: true,
    keepPrefix: true,
  }),
  token('softlayer-url', ['api.softlayer.com/soap/v3/', 'api.softlayer.com/soap/v3.1/'], `${HEX}{64}`, {
    anywhere: true,
    keepPrefix: true,
    check: () => true,
  }),
];
