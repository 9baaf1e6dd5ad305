import { isReference } from '../reference-value.ts';
import type { Rule } from '../rule.ts';
import { BASE62, BASE64_URL, HEX, token, UUID } from '../token-rule.ts';
import { looksRandom } from '../value-shape.ts';

/** The user name may stay; the password between `:` and the last `@` before the host may not. */
const USER_INFO = /([^\s:/?#"'<>`@,;(){}]{0,100}):([^\s/"'<>`]{1,200})@(?=[\w[%$-])/y;
/** A lone user name that is a token, as in `https://<token>@host`. */
const LONE_USER = /([^\s:/?#"'<>`@,;(){}]{16,200})@(?=[\w[%$-])/y;

const userInfo: Rule = {
  id: 'url-credentials',
  keywords: ['://'],
  find(scan, _start, end) {
    USER_INFO.lastIndex = end;
    const pair = USER_INFO.exec(scan.text);
    if (pair) {
      const [whole, user = '', password = ''] = pair;
      if (!isStandIn(password)) scan.report(end + user.length + 1, end + whole.length - 1);
      if (looksRandom(user, 20)) scan.report(end, end + user.length);
      return;
    }
    LONE_USER.lastIndex = end;
    const user = LONE_USER.exec(scan.text)?.[1];
    if (user !== undefined && looksRandom(user, 16) && !isReference(user))
      scan.report(end, end + user.length);
  },
};

/** Unlike in an assignment, a mere word in the password's place of an address is a password. */
function isStandIn(password: string): boolean {
  return /^(?:\$[\w{(]|<|\{|%\w+%|%s|\[|#\{|[*x.]+$)/i.test(password);
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

/** The rest of such an address is the secret, wherever it stands. */
const secretPath = { anywhere: true, keepPrefix: true, ignoreCase: true } as const;

/** Rules that find secrets in addresses: user information, signatures and addresses that are secret as a whole. */
export const urlRules: readonly Rule[] = [
  userInfo,
  querySignature,
  token(
    'slack-webhook',
    ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    '[\\w/+-]{20,120}',
    secretPath,
  ),
  token(
    'discord-webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    `[0-9]{10,25}/${BASE64_URL}{20,120}`,
    secretPath,
  ),
  token(
    'teams-webhook',
    ['/webhookb2/', 'office.com/webhook/'],
    `${UUID}@${UUID}/[\\w/-]{10,200}`,
    secretPath,
  ),
  token('zapier-webhook', 'hooks.zapier.com/hooks/catch/', '[0-9]{1,12}/\\w{5,20}', secretPath),
  token('ifttt-webhook', '/with/key/', `${BASE64_URL}{20,60}`, secretPath),
  token('feishu-webhook', '/open-apis/bot/v2/hook/', UUID, secretPath),
  token('wecom-webhook', 'qyapi.weixin.qq.com/cgi-bin/webhook/send?key=', UUID, secretPath),
  token('thingsboard-device', 'thingsboard.cloud/api/v1/', `${BASE62}{16,32}`, secretPath),
  token('softlayer', ['softlayer.com/soap/v3/', 'softlayer.com/soap/v3.1/'], `${HEX}{64}`, secretPath),
];
