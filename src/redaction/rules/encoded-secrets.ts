import type { Rule } from '../rule.ts';
import { BASE64, BASE64_URL, HEX, token } from '../token-rule.ts';

const always = () => true;

/**
 * Certificates and public keys start like private keys; the next words of their headers are ` CERT`, ` PUBLIC` and ` RSA PUBLIC`.
 */
const isNotPublicPem = (body: string) => !/^B(?:DRVJU|QVUJMSU|SU0EgUFVCTElD)/.test(body);

/** Rules for tokens, keys and password hashes in standard encodings, and for secrets in files of common tools. */
export const encodedSecretRules: readonly Rule[] = [
  token(
    'jwt',
    'eyJ',
    `${BASE64_URL}{8,3000}\\.${BASE64_URL}{8,5000}(?:\\.${BASE64_URL}{10,3000}){0,3}={0,2}`,
  ),
  token('jwt-base64', 'ZXlK', `${BASE64}{60,8000}={0,2}`),
  token('private-key-base64', 'LS0tLS1CRUdJTi', `${BASE64}{50,12000}={0,2}`, { check: isNotPublicPem }),
  token(
    'putty-private-key',
    'Private-Lines:',
    `[ \\t]{0,3}[0-9]{1,3}\\s{1,3}(?:${BASE64}{64}\\s{1,3}){0,60}${BASE64}{1,64}={0,2}`,
  ),
  token('age-secret-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,64}', {
    ignoreCase: true,
  }),
  token('bcrypt-hash', ['$2a$', '$2b$', '$2x$', '$2y$'], '[0-9]{2}\\$[./A-Za-z0-9]{53}', { anywhere: true }),
  token(
    'crypt-hash',
    ['$1$', '$5$', '$6$', '$8$', '$y$'],
    '(?:rounds=[0-9]{1,9}\\$)?[./A-Za-z0-9]{3,16}\\$[./A-Za-z0-9]{22,86}',
    { anywhere: true },
  ),
  token(
    'argon2-hash',
    '$argon2',
    'i?d?\\$(?:v=[0-9]{1,3}\\$)?[mtp=,0-9]{5,40}\\$[A-Za-z0-9+/]{8,100}\\$[A-Za-z0-9+/]{16,200}',
    { anywhere: true },
  ),
  token('npm-registry-auth', [':_authToken=', ':_auth=', ':_password='], '[ ]?[^\\s"\'`$<{\\\\;)]{4,400}', {
    anywhere: true,
    ignoreCase: true,
    keepPrefix: true,
    check: (value) => !/^\[|^[A-Z_-]{3,40}$/.test(value),
  }),
  token('sidekiq-license', 'contribsys__com', `[\\w:= "']{1,20}${HEX}{8}:${HEX}{8}`, {
    anywhere: true,
    ignoreCase: true,
    keepPrefix: true,
  }),
  token('django-insecure-key', 'django-insecure-', '[^"\'\\s]{1,250}', { anywhere: true, check: always }),
  token('laravel-app-key', 'base64:', `${BASE64}{43}=`),
  token('facebook-app-token', ['|', '%7C'], `${BASE64_URL}{27,40}(?![\\w-])`, {
    leadingDigits: [15, 16],
    ignoreCase: true,
  }),
  token('telegram-bot-token', ':A', `${BASE64_URL}{33,36}(?![\\w-])`, { leadingDigits: [5, 16] }),
];
