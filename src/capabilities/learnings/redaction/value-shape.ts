import { shareOfWords, statisticsOf } from './character-statistics.ts';
import { REDACTION_MARKER } from './rule.ts';

/** Tells whether the text has next to no content of its own, such as `xxxxxxxx`, `0000-0000` or `********`. */
export function isFiller(value: string): boolean {
  const { length, different, most } = statisticsOf(value);
  return different < 5 || most > length * 0.6;
}

/** Tells whether the value mixes letters and digits as only chance does: long, varied and not made of words. */
export function looksRandom(value: string, minimumLength = 10, minimumEntropy = 3): boolean {
  if (value.length < minimumLength) return false;
  const { length, different, most, digits, letters, entropy } = statisticsOf(value);
  if (different < 5 || most > length * 0.6 || letters === 0) return false;
  if (entropy < minimumEntropy && !(entropy >= 2.5 && HEX_VALUE.test(value))) return false;
  return (digits > 0 || hasRandomCase(value)) && !isMadeOfWords(value);
}

/** Tells whether most of the value is words: an identifier, a host, a path or a phrase, not chance. */
export function isMadeOfWords(value: string): boolean {
  return shareOfWords(value) >= 0.75 || WORDS_AND_NUMBERS.test(value) || ALPHABET.test(value);
}

/** Tells whether the value is a place for a secret, such as `$NAME`, `${NAME}`, `<name>` or `***`. */
export function isTemplate(value: string): boolean {
  return value.includes(REDACTION_MARKER) || TEMPLATE.test(value) || INTERPOLATION.test(value);
}

/** Tells whether the value only names, describes or stands in for a secret that is kept elsewhere. */
export function isReference(value: string): boolean {
  return (
    isTemplate(value) ||
    MEMBER_ACCESS.test(value) ||
    LOCATION.test(value) ||
    FILE_NAME.test(value) ||
    PLACEHOLDER_START.test(value) ||
    PLACEHOLDER_WORD.test(value) ||
    LITERAL_WORD.test(value) ||
    ALGORITHM.test(value) ||
    DATE_OR_VERSION.test(value)
  );
}

/** Tells whether the value holds a UUID or has the length of a common digest in hexadecimal digits. */
export function isIdentifierOrDigest(value: string): boolean {
  return (
    HOLDS_UUID.test(value) || (HEX_VALUE.test(value) && [32, 40, 56, 64, 96, 128].includes(value.length))
  );
}

const ALPHABET = /abcdefghijklmnopqrstuvwxyz/i;
/** `web-01`, `event_bus_2024`, `jackson-0.11.2`. */
const WORDS_AND_NUMBERS =
  /^(?:[A-Za-z]{1,20}[0-9]{0,5}|[0-9]{1,20})(?:[-_.:/](?:[A-Za-z]{1,20}[0-9]{0,5}|[0-9]{1,20})){1,20}$/;
const HOLDS_UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const HEX_VALUE = /^[0-9a-f]{1,128}$/i;
const TEMPLATE =
  /^(?:\$[\w{([]|%\w{1,60}%?$|#\{|@\w{1,60}@$|[<[].{0,100}[>\]]?$|&lt;|\{\{?[\w .$|-]{0,100}\}?\}?$|[*•.…_=-]{1,200}$|x{3,200}$)/i;
/** A name in the middle of a literal: `key-${id}`, `pw_#{name}`, `{{ value }}1`. */
const INTERPOLATION = /\$\{[\w.()[\]'"!? ]{1,80}\}|#\{\w{1,60}|\{\{ ?[\w.]{1,60} ?\}\}/;
const MEMBER_ACCESS =
  /^!?(?:this|self|process|os|env|import|config|conf|cfg|settings|options|opts|props|params|args|argv|ctx|context|req|request|res|response|body|headers|event|state|data|input|user|users|session|secrets?|vars?|locals?|module|each|values|System|Deno|Bun|builtins|credentials?|creds|account|client|app|store|environ|getenv|lookup|vault|base64|hex|str|string|new|await|typeof|function|lambda)(?:[.[(?!]|->|::)/i;
const LOCATION =
  /^(?:(?:urn|arn|ref|vault|ssm|sops|op|file|env|kms|secretsmanager|data):|[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/[\w@-]{1,40}(?:\/[\w@.-]{1,40}){0,20}\/?$|~\/|[A-Za-z]:\\)/;
const FILE_NAME =
  /\.(?:pem|key|crt|cer|der|p12|pfx|jks|keystore|keytab|json|ya?ml|toml|ini|conf|cfg|properties|env|txt|md|html?|xml|css|s?css|[cm]?[jt]sx?|py|go|rb|rs|java|kt|php|sh|sql|lock|log|pub|asc|gpg|com|org|net|io|dev|local|internal|svc)(?::\d{1,5})?$/i;
const PLACEHOLDER_START =
  /^(?:your|insert|replace|enter|change-?_?me|changeit|example|sample|dummy|fake|placeholder|redacted|masked|hidden|removed|omitted|censored|todo|not-?_?set|not-?_?a-?_?real)/i;
const PLACEHOLDER_WORD =
  /(?:^|[^A-Za-z0-9])(?:your|here|insert|replace|example|sample|dummy|fake|placeholder|redacted|todo|goes)(?:[^A-Za-z0-9]|$)/i;
const LITERAL_WORD =
  /^(?:true|false|null|nil|none|undefined|nan|yes|no|on|off|any|unknown|void|string|str|text|number|integer|int|float|boolean|bool|bytes?|object|array|list|map|dict|char|varchar|citext|uuid|json|date|datetime|required|optional|missing|invalid|incorrect|wrong|weak|strong|empty|default|auto|current|previous|generated|encrypted|hashed|plaintext|cleartext|disabled|enabled|readonly|username|user|admin|root|guest|test|testing|pass|passwd|passwords?|passphrase|pwd|secrets?|tokens?|keys?|api_?-?keys?|auth|credentials?|value|login|bearer|basic|function|symbol)[0-9]?$/i;
const ALGORITHM =
  /^(?:sha[-_]?[0-9]{1,3}(?:$|[-_:=])|md[245]\b|hs(?:256|384|512)|rs(?:256|384|512)|es(?:256|384|512)|ps(?:256|384|512)|aes[-_]?[0-9]|rsa[-_]?[0-9]|ed25519|ed448|x25519|curve25519|ecdsa|secp[0-9]|bcrypt|scrypt|argon2|pbkdf2|hmac|base(?:16|32|58|62|64)|utf-?8|utf-?16|iso-?[0-9]|rfc-?[0-9]|oauth2?|openid|saml2?|ipv[46]|http2?|tls1|ssl3|x509|pkcs|ssh-|ecdh|chacha20|blowfish|h1:)/i;
const DATE_OR_VERSION =
  /^(?:v?[0-9]{1,4}(?:[.][0-9x*]{1,10}){1,5}(?:[-+][\w.]{0,40})?|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{0,20}(?:Z|[+-][0-9:]{2,6})?)?|[0-9]{1,9}(?:ms|s|m|h|d|px|%|kb|mb|gb)?)$/i;

/** Letters alone are random when capitals stand where no word would have them. */
function hasRandomCase(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z+/=_-]+$/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return value.length / words.length < 2.6;
}

/** Tells whether the value has digits, small letters and capitals, as tokens without a telling prefix do. */
export function hasAllKinds(value: string): boolean {
  return /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && !isFiller(value);
}
