/** What a name implies about its value: a password may be a plain word, a key must look random. */
export type NameKind = 'password' | 'secret' | 'key';

/** Every name with a kind contains at least one of these. */
export const NAME_KEYWORDS: readonly string[] = `
  pass pwd secret token key credential creds auth access bearer crumb license totp mnemonic _pat _dsn sessid sessionid
  session_id _session connect.sid`
  .trim()
  .split(/\s+/)
  .concat([
    'api key',
    'secret key',
    'access key',
    'private key',
    'signing key',
    'encryption key',
    'license key',
  ]);

const LONGEST_WORD = 40;
const PASSWORD_WORD = /^(?:pass|pwd?|pw|\w*passw(?:or)?ds?|\w*passwort|\w*passphrase|passcode|\w+pwd)$/;
const SECRET_WORD =
  /^(?:\w*secrets?|\w*tokens?|\w*apikeys?|\w*(?:access|private|secret|auth|account|shared|license)keys?|\w*credentials?|creds|bearer|crumb|jwt|pat|sas|dsn|totp|mnemonic|(?:php|j)?sess(?:ion)?id|sid)$/;
const KEY_WORD = /^(?:\w*keys?|auth|access|api|session|license)$/;

/** Objects that programs store or look up by a key; a digest or a UUID assigned to such a key is not a secret. */
const LOOKUP_OWNERS = words(`
  item record file image storage entity request user data lookup field table topic event entry asset resource
  document node block chunk blob content page commit build job task order product customer tenant org parent
  child root idempotence etag hash unique natural alternate external internal source target config option feature
  flag setting locale lang theme route state store form input menu tab view widget column property attribute param
  dictionary hashtable kms sentry result results expected timeout marker metadata meta context ctx annotation tag header
  trace span action command preference metric counter provider plugin extension module class package series chart
  repository identifier uuid guid gpg pgp`);

/**
 * The maximum number of words in a name for a key with an owner. Longer names in code describe what is looked up:
 * `WorkspaceBlueprintPrimaryRemoteKey`.
 */
const LONGEST_OWNED_KEY = 4;

/** Whether the key in the name has an owner: `boostnoteKey`, `BOX_KEY`, but neither `key` nor `cacheKey`. */
export function isOwnedKey(name: string): boolean {
  const parts = wordsOf(name);
  const owner = parts.at(-2);
  if (parts.length > LONGEST_OWNED_KEY && /[a-z][A-Z]/.test(name)) return false;
  return /^keys?$/.test(parts.at(-1) ?? '') && owner !== undefined && !LOOKUP_OWNERS.has(owner);
}

/**
 * Whether the name is the id of a session in a program, such as a chat. Cookies write `sessionid` as one word, so they are not
 * meant.
 */
export function isSessionId(name: string): boolean {
  const parts = wordsOf(name);
  return parts.at(-2) === 'session' && parts.at(-1) === 'id';
}

/** Words that imply a secret only at the end of a name. */
const SUBJECT_WORD = /^(?:auth|access|api|session|license)$/;

/** A key of one of these is as significant as a token. */
const STRONG_KEY_OWNER = words(`
  api access auth authentication authorization private priv secret signing sign encryption encrypt cipher
  master account shared service license session hmac webhook deploy admin app application client db
  database cookie jwt ssh root server consumer subscription integration ingest ingestion write host
  function project developer preshared management insert personal ibm iam cloud sl softlayer device cos
  cloudant integrate`);

/** Keys and tokens of these are not secrets. */
const HARMLESS_OWNER = words(`
  public pub foreign primary natural unique composite partition sort hot idx index schema sequence bucket
  cache query object row map react list group routing shortcut translation message dedup deduplication
  idempotency websocket change tenant cursor page pagination next previous continuation csrf xsrf antiforgery authenticity design syntax lexer
  parser sync random max min num total count prompt completion input output used stop special pad eos bos unk
  mask start end first second third fourth last other another sub reserved bad unexpected hash sha commit socket peer merge`);

/** Keys of these are public, but their tokens are not. */
const PUBLIC_KEY_OWNER = words('site website spreadsheet');

/** Words for a property of a secret that is not secret itself: its name, location, length, age and the like. */
const HARMLESS_SUFFIX = words(`
  id ids name names url uri urls endpoint file files filename path paths dir directory type types length len
  size sizes count counts limit limits max min budget usage cost price expiry expires expiration expire ttl
  timeout age lifetime format field fields column columns label labels input placeholder hint policy policies
  rule rules regex pattern encryption valid validator validation reset strength required enabled disabled version
  versions alg algorithm issuer audience scope scopes host port provider providers manager header headers
  param params parameter prefix suffix source ref refs arn status state kind index bits hash hashes hashed
  digest checksum md fingerprint thumbprint level mode method methods strategy role roles group groups log logs
  control point server gateway class error errors message messages page screen form modal view module schema
  generator confirm confirmation changed updated created at on alias board code codes down frame info left
  right up mesh meshing address contract chars pair pairs press pressed ring selector signature signatures
  space stone store storetype tab word words vault hole note set keyref protected based less handler
  middleware helper test tests spec commit revision sha etag nonce fixture result results request response
  iterator accessor resolver factory event events mapping order sort by identifier identifiers model startswith
  endswith contains attribute change changes hasher hashers update updates lib username public reason reasons
  permission permissions iterations parallelism memory advice channel guild`);

/** The kind of secret that a name implies; undefined if none. Evaluated word by word, so that `monkey` is not a key. */
export function kindOfName(name: string): NameKind | undefined {
  const parts = wordsOf(name);
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const word = parts[index] as string;
    const kind = kindOfWord(word, parts[index - 1]);
    if (word === 'pass' && parts[index - 1] === 'by') return undefined;
    if (parts[0] === 'label' || parts[index - 1] === 'hashed') return undefined;
    if (kind === undefined) continue;
    // The words before it: both of `PublicKeyToken`, one of `primaryKey`.
    const owners = word === 'token' || word === 'tokens' || kind === 'key' ? parts.slice(0, index) : [];
    const owner = owners.at(-1) === 'key' ? owners.at(-2) : owners.at(-1);
    if (owner !== undefined && HARMLESS_OWNER.has(owner)) return undefined;
    if (kind === 'key' && PUBLIC_KEY_OWNER.has(owner ?? '')) return undefined;
    // `AUTH_USER_MODEL` and `access_level_2` are about access, not a key to it.
    if (SUBJECT_WORD.test(word) && index < parts.length - 1 && parts[index + 1] !== 'id') return undefined;
    const isSessionId = word === 'session' && parts[index + 1] === 'id';
    if (isSessionId) return 'secret';
    return parts.slice(index + 1).some((suffix) => HARMLESS_SUFFIX.has(suffix)) ? undefined : kind;
  }
  return undefined;
}

/** Words that may follow the word for a secret without changing its meaning: its environment, its encoding and the like. */
const NEUTRAL_SUFFIX = words(`
  prod production dev development stage staging test testing local default live sandbox uat qa ci base raw plain plaintext
  clear cleartext value val values string str text txt encoded enc decoded bytes byte data hex json env var new old current
  primary secondary tertiary backup temp tmp main for of my db database root admin user account api app aws azure gcp github
  gitlab google slack stripe twilio mysql postgres postgresql pg redis mongo mongodb smtp mail email ftp ssh sftp ldap
  again repeat encrypted id one two three retype a b c x y z v key keys secret token password passwd pwd pass jwt pem`);

/**
 * Whether a name in code continues after the word for a secret: `passwordModifiedDate`, `PasswordPreloginFromSdk`. Its value is
 * hardly the secret itself.
 */
export function continuesAfterSecretWord(name: string): boolean {
  if (!/[a-z][A-Z]/.test(name)) return false;
  const parts = wordsOf(name);
  const last = parts.findLastIndex((word, index) => kindOfWord(word, parts[index - 1]) !== undefined);
  return parts.slice(last + 1).some((word) => !NEUTRAL_SUFFIX.has(word));
}

/** Whether the name says that its value is a version, a digest or an address rather than a secret. */
export function isHarmlessName(name: string): boolean {
  const parts = wordsOf(name);
  const last = parts.at(-1) ?? '';
  const isClientId = last === 'id' && /^(?:client|access|consumer|app)$/.test(parts.at(-2) ?? '');
  return HARMLESS_SUFFIX.has(last) && !isClientId;
}

function kindOfWord(word: string, previous: string | undefined): NameKind | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  if (/^csrf|^nopass/.test(word)) return undefined;
  if (PASSWORD_WORD.test(word)) return 'password';
  if (SECRET_WORD.test(word)) return 'secret';
  if (/^keys?$/.test(word) && previous !== undefined && STRONG_KEY_OWNER.has(previous)) return 'secret';
  return KEY_WORD.test(word) && !HARMLESS_KEY_WORD.test(word) ? 'key' : undefined;
}

/** Words that happen to end in `key`, and keys named in one word that are not secrets. */
const HARMLESS_KEY_WORD =
  /^(?:(?:mon|tur|don|hoc|joc|whis|dis|smo|per|sto|lac|jer|jour)key|(?:pub|public|primary|foreign|hot|sort|idx|resource)key)s?$/;

/** `dbUserPASSWORD_2` becomes `db`, `user`, `password`. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
