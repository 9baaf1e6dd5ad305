import type { Rule } from '../rule.ts';
import { BASE62, BASE64_URL, HEX, HEX_ANY_CASE, LOWER, token, UPPER, UUID } from '../token-rule.ts';
import { hasAllKinds, hasDigits, looksRandom } from '../values/value-shape.ts';

/** Rules for chat, mail, telephony and social networks. */
export const messagingRules: readonly Rule[] = [
  token(
    'slack-token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe-', 'xoxc-', 'xoxd-'],
    '[A-Za-z0-9%/+-]{10,400}',
    { anywhere: true, check: hasDigits },
  ),
  token('slack-config-token', ['xoxe.xoxb-', 'xoxe.xoxp-'], '[A-Za-z0-9-]{20,400}', { anywhere: true }),
  token('slack-app-token', 'xapp-', '[A-Za-z0-9/+-]{16,200}', { anywhere: true, ignoreCase: true }),
  token(
    'discord-bot-token',
    ['MD', 'MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT', 'MZ'],
    `${BASE64_URL}{21,26}\\.${BASE64_URL}{6}\\.${BASE64_URL}{27,40}`,
  ),
  token('twilio-key', ['SK', 'AC'], `${HEX}{32}(?![0-9A-Za-z])`),
  token('sendgrid-key', 'SG.', '[\\w=.-]{40,100}'),
  token('mailgun-key', ['key-', 'pubkey-'], `${HEX}{32}(?![0-9a-z])`),
  token('mailchimp-key', '-us', '[0-9]{1,2}(?![0-9A-Za-z])', { lead: [`${HEX}{32}`, 32], check: () => true }),
  token('mandrill-key', 'md-', `${BASE64_URL}{22}(?![\\w-])`, { check: hasAllKinds }),
  token('brevo-key', ['xkeysib-', 'xsmtpsib-'], `${HEX}{64}-${BASE62}{16}`, { anywhere: true }),
  token('resend-key', 're_', `${BASE62}{8}_${BASE62}{20,30}`),
  token('mailersend-token', 'mlsn.', `${HEX}{64}`),
  token('onesignal-key', ['os_v2_app_', 'os_v2_org_'], `${BASE62}{60,120}`),
  token(
    'pubnub-key',
    ['sec-c-', 'pub-c-', 'sub-c-'],
    `(?:${LOWER}{8}(?:-${LOWER}{4}){3}-${LOWER}{12}|${BASE62}{40,60}={0,2})`,
  ),
  token('telegram-address', 'tgram://', `[0-9]{5,16}:${BASE64_URL}{30,40}`, { keepPrefix: true }),
  token('courier-token', ['pk_prod_', 'pk_test_'], `${UPPER}{28}(?![A-Z0-9])`),
  token('klaviyo-key', 'pk_', `${HEX}{34}(?![0-9a-z])`),
  token('clickup-token', 'pk_', `[0-9]{6,10}_${UPPER}{32}`),
  token('hubspot-token', ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'], UUID, { ignoreCase: true }),
  token('salesforce-token', '!', '[A-Za-z0-9._]{80,130}', { lead: ['00[A-Za-z0-9]{13}', 15] }),
  token(
    'facebook-access-token',
    ['EAAC', 'EAAM', 'EAAB', 'EAAG', 'EAAE', 'EAAD', 'EAAF', 'EAAI', 'EAAH', 'EAAJ'],
    `${BASE62}{30,500}`,
    { notWithin: /[+/]/ },
  ),
  token('instagram-token', ['IGQV', 'IGAA'], `${BASE64_URL}{50,400}`),
  token('twitter-bearer-token', 'AAAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,200}', {
    check: (body) => looksRandom(body, 60, 4),
  }),
  token('pinterest-token', 'pina_', `${BASE62}{60,100}`),
  token('vk-token', 'vk1.a.', `${BASE64_URL}{80,300}`),
  token('tiktok-token', ['act.', 'rft.'], `${BASE62}{40,80}(?:!\\w{1,10}(?:\\.\\w{1,6})?)?`),
  token('pushbullet-token', 'o.', `${BASE62}{32}(?![\\w.-])`, { check: hasAllKinds }),
  token('intercom-token', 'dG9r', '[A-Za-z0-9+/]{50,80}={0,2}'),
  token('knock-key', ['sk_test_', 'sk_live_'], `${BASE64_URL}{30,80}`, { check: hasAllKinds }),
  token('novu-style-key', 'nv-', `${HEX_ANY_CASE}{32}`),
  token('beamer-token', 'b_', '[\\w+/=-]{44,46}(?![\\w-])', {
    check: hasAllKinds,
  }),
  token('telegram-bot-path', ['/bot', '%2Fbot'], `[0-9]{5,16}(?::|%3A)${BASE64_URL}{30,40}(?![\\w-])`, {
    anywhere: true,
    keepPrefix: true,
    ignoreCase: true,
  }),
  token('asana-token', ['0/', '1/', '2/'], `[0-9]{10,20}(?:/[0-9]{10,20})?:${HEX}{32}(?![0-9A-Za-z])`),
  token('lichess-token', 'lip_', `${BASE62}{20}`),
  token('riot-key', 'RGAPI-', UUID),
];
