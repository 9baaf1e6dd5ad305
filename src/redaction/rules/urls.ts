import type { Rule } from '../rule.ts';
import { BASE62, BASE64_URL, HEX, token, UUID } from '../token-rule.ts';
import { isReference } from '../values/reference-value.ts';
import { isFiller, looksRandom } from '../values/value-shape.ts';

/**
 * Matches user information in a URL. The user name may stay; the password between `:` and the last `@` before the host is
 * replaced.
 */
const USER_INFO = /(\$?\{[\w.]{1,60}\}|[^\s:/?#"'<>`@,;(){}]{0,100}):([^\s/"'<>`]{1,200})@(?=[\w[%$-])/y;
/** Matches a user name without a password, which may be a token, as in `https://<token>@host`. */
const LONE_USER = /([^\s:/?#"'<>`@,;(){}!]{16,200})@(?=[\w[%$-])/y;

/** Matches user information of a URL within the query of another URL, where `:` and `@` are percent-encoded. */
const ENCODED_USER_INFO =
  /([^\s:/?#"'<>`@,;(){}&%]{0,100})(?::|%3A)((?:(?!%2F|%3F|%23|%26)[^\s/"'<>`&#]){1,200})(?:%40|@)(?=[\w[%$-])/diy;

const encodedUserInfo: Rule = {
  id: 'encoded-url-credentials',
  keywords: ['%3A%2F%2F', ':%2F%2F'],
  find(scan, _start, end) {
    ENCODED_USER_INFO.lastIndex = end;
    const pair = ENCODED_USER_INFO.exec(scan.text);
    const place = pair?.indices?.[2];
    if (!pair || !place) return;
    const [, user = '', password = ''] = pair;
    if (!isPlaceholder(password) && !/^%(?:24|3C|7B|5B)/i.test(password)) scan.report(place[0], place[1]);
    if (looksRandom(user, 20)) scan.report(end, end + user.length);
  },
};

const userInfo: Rule = {
  id: 'url-credentials',
  keywords: ['://'],
  find(scan, _start, end) {
    USER_INFO.lastIndex = end;
    const pair = USER_INFO.exec(scan.text);
    if (pair) {
      const [whole, user = '', password = ''] = pair;
      if (!isPlaceholder(password) && !isHostAndPort(user, password))
        scan.report(end + user.length + 1, end + whole.length - 1);
      if (looksRandom(user, 20)) scan.report(end, end + user.length);
      return;
    }
    LONE_USER.lastIndex = end;
    const user = LONE_USER.exec(scan.text)?.[1];
    if (user !== undefined && looksRandom(user, 16) && !isReference(user) && !/\.[a-z]{2,8}$/.test(user))
      scan.report(end, end + user.length);
  },
};

function isHostAndPort(user: string, password: string): boolean {
  return (
    /^[0-9]{2,5}(?:[?#]|\\{1,4})?$/.test(password) &&
    /^localhost$|\.[a-z]{2,6}$|^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(user)
  );
}

/**
 * Unlike in an assignment, a plain word in the password position of a URL is a password, so only obvious placeholders are left
 * out.
 */
function isPlaceholder(password: string): boolean {
  return (
    /^(?:\${1,2}[\w{(]|<|\{|%\w+%|%[sdqv]|\[|#\{|[*x.]+$|\w+\]{1,2}$|@.*\\$)/i.test(password) ||
    password.split(':').every((part) => CONSTANT.test(part))
  );
}

/** Matches a placeholder that names the missing value, as in `https://USER:API_TOKEN@host`. */
const CONSTANT =
  /^(?:[A-Z]{2,20}[_-]){0,4}(?:USER|LOGIN|PASSWORD|PASSWD|PASS|KEY|APIKEY|TOKEN|SECRET|ID|DOMAIN)(?:_GOES)?(?:_HERE)?$/;

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

const MAX_QUERY_BEFORE = 150;
const QUERY_START = /(?:[?&;#]|%3F|%26)$/i;
const QUERY_VALUE = /[\w%+/.~-]{20,3000}/y;
const WHOLE_UUID = new RegExp(`^${UUID}$`);

const queryCredential: Rule = {
  id: 'query-credential',
  keywords: ['code', 'jwt', 'session', 'sid'].flatMap((name) => [`${name}=`, `${name}%3D`]),
  find(scan, start, end) {
    const before = scan.text.slice(Math.max(0, start - MAX_QUERY_BEFORE), start);
    // In the fragment after `#`, a code playground stores its program: `#lang=ts&code=…`.
    if (!QUERY_START.test(before) || /#[^\s"'<>]{0,150}[?&;]$/.test(before)) return;
    QUERY_VALUE.lastIndex = end;
    const value = QUERY_VALUE.exec(scan.text)?.[0].replace(/%26.*/i, '');
    if (value === undefined || WHOLE_UUID.test(value) || isReference(value)) return;
    if ((value.match(/%[0-9A-F]{2}/gi) ?? []).length > 4) return; // percent-encoded text
    if (looksRandom(value.slice(0, 200), 20, 3.2)) scan.report(end, end + value.length);
  },
};

const KEY_VALUE = /[\w-]{16,200}/y;

/** `?key=…` contains a key if the value is random, even in the form of a UUID. */
const queryKey: Rule = {
  id: 'query-key',
  keywords: ['key=', 'key%3D'],
  find(scan, start, end) {
    if (!QUERY_START.test(scan.text.slice(Math.max(0, start - 3), start))) return;
    KEY_VALUE.lastIndex = end;
    const value = KEY_VALUE.exec(scan.text)?.[0];
    if (value !== undefined && looksRandom(value, 16) && !isReference(value))
      scan.report(end, end + value.length);
  },
};

/** Creates a rule for URLs whose path after a prefix is the secret, even percent-encoded in another URL. */
function secretPath(id: string, prefixes: readonly string[], body: string): Rule {
  const encoded = prefixes.map((prefix) => encodeURIComponent(prefix));
  return token(id, [...prefixes, ...encoded], body, {
    ...{ anywhere: true, keepPrefix: true, ignoreCase: true },
    // After a real prefix, even `T00000000/B00000000/XXXX` counts as a secret; only a value that starts with filler or
    // placeholder words does not.
    check: (path) => !(isFiller(path) && /^[x0*._-]{2}/i.test(path)) && !/^(?:your|example)/i.test(path),
  });
}

const SLASH = '(?:/|%2F)';

/** Rules that find secrets in URLs: user information, signatures and URLs that are secret as a whole. */
export const urlRules: readonly Rule[] = [
  userInfo,
  encodedUserInfo,
  querySignature,
  queryCredential,
  queryKey,
  secretPath(
    'slack-webhook',
    ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    `(?:[\\w/+-]|%2F){20,120}`,
  ),
  secretPath(
    'discord-webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    `[0-9]{10,25}${SLASH}${BASE64_URL}{20,120}`,
  ),
  secretPath(
    'teams-webhook',
    ['/webhookb2/', 'office.com/webhook/'],
    `[0-9a-zA-Z-]{36}(?:@|%40)[0-9a-zA-Z-]{36}${SLASH}(?:[\\w/-]|%2F){10,200}`,
  ),
  secretPath(
    'zapier-webhook',
    ['hooks.zapier.com/hooks/catch/'],
    `(?:[0-9]{1,12}${SLASH}\\w{5,20}|\\w{12,40})`,
  ),
  secretPath('tines-webhook', ['.tines.com/webhook/'], `[0-9a-z]{32}${SLASH}[0-9a-z]{32}`),
  secretPath('ifttt-webhook', ['/with/key/'], `${BASE64_URL}{20,60}`),
  secretPath('feishu-webhook', ['/open-apis/bot/v2/hook/'], UUID),
  secretPath('wecom-webhook', ['qyapi.weixin.qq.com/cgi-bin/webhook/send?key='], UUID),
  secretPath('thingsboard-device', ['thingsboard.cloud/api/v1/'], `${BASE62}{16,32}`),
  secretPath('softlayer', ['softlayer.com/soap/v3/', 'softlayer.com/soap/v3.1/'], `${HEX}{64}`),
];
