import { REDACTION_MARKER } from '../rule.ts';

/** Whether the value is a placeholder for a secret, such as `$NAME`, `${NAME}`, `<name>` or `***`. */
export function isTemplate(value: string): boolean {
  return value.includes(REDACTION_MARKER) || TEMPLATE.test(value) || INTERPOLATION.test(value);
}

/** Whether the value only names, describes or represents a secret that is kept elsewhere. */
export function isReference(value: string): boolean {
  return isTemplate(value) || REFERENCES.some((pattern) => pattern.test(value));
}

const TEMPLATE = new RegExp(
  [
    String.raw`^\$[\w{([]`, // $NAME, ${NAME}, $(command)
    String.raw`^%{1,2}\w{1,60}%{0,2}$|^%\w{1,40}(?:\.\w{1,40}){1,6}%$|^%\(\w{1,60}\)[sd]$`, // %NAME%, %%NAME%%, %s, %some.name%, %(name)s
    String.raw`^\w{1,10}:\$[A-Za-z_]\w{0,60}$`, // pass:$name
    String.raw`^#\{|^@\w{1,60}@$|^&(?:lt|quot);`, // #{name}, @name@, an escaped <name> or quote
    String.raw`^[<[].{0,100}[>\]]?$`, // <name>, [name]
    String.raw`^:[A-Za-z_]\w{0,60}[?*+]?$`, // :name, as in a statement or in the pattern of a path
    String.raw`^[{[]\s{0,5}\\?["']`, // JSON, whose own names are examined separately
    String.raw`^\{\w{1,40}=\w{1,40}\}$`, // {controller=Home}
    String.raw`^\{\{?[\w .$|()-]{0,100}\}?\}?$`, // {name}, {{ name }}, {{encrypt(name)}}
    String.raw`^\w{0,40}\([^()]{0,60}\)$`, // (name), name(x)
    String.raw`^[*&][a-z_]\w{0,60}(?:\.\w{1,60}){0,4}(?:\+\+|--)?$`, // *name, &name, *name++
    String.raw`^\*{2,3}\w{1,20}\*{2,3}$|^\*(?:redacted|hidden|masked|removed)\*$|^(?:\\x[0-9a-f]{2}){1,12}$|^\\u[0-9a-f]{4}$`, // **hidden**; an object identifier as escaped bytes; the code of a pressed key
    String.raw`\(\?[:=!]|\\\(\[|\[\^|\\[dws.]|\[[Aa0]-[ZzFf9]`, // a regular expression
    String.raw`^[a-z]\w{0,40}(?:\.[\w-]{1,40}){2,8}=`, // server.ssl.port=1
    String.raw`^--[a-z]|^[\w+/-]{1,20}\.{3}[\w+/=%-]{1,20}$`, // another option; a value abbreviated in the middle
    String.raw`\*{3}|x{8}|%5bredacted%5d`, // hidden in part, as in test-***-key
    '^["\'`]\\s?\\+|^"\\w{1,40}"$', // a concatenation of texts; a word in additional quotes
    String.raw`^(?:@{1,2}|!{1,2}|[*&]{1,2})[a-z_]{1,60}(?:\.[a-z_]{1,60}){0,4}[?!]?$`, // @name, !tag, !!name, *name
    String.raw`^\*[a-z][\w-]{1,40}$|^crwdns[0-9]`, // an alias in YAML; a placeholder of Crowdin
    String.raw`^[\w.-]{1,60}/[\w.-]{1,60}#[0-9]{1,8}$|^id=[\w-]{1,60}(?:,|$)`, // owner/repository#1; the id of a secret in Docker
    String.raw`^%24\(\w{1,40}\)$|^\+[a-z][\w.]{0,40}\+$`, // $(name) in a URL; a name concatenated between two texts
    String.raw`^/?\^.{0,200}$`, // a regular expression
    String.raw`^@[A-Za-z]\w{0,40}\.\w{1,40}[.(]`, // @provider.method(
    '^[a-z_]{2,20}:"', // json:"name", a struct tag in Go
    '^[*•.…_=-]{1,200}$|^x{3,200}$', // ***, ..., xxx
  ].join('|'),
  'i',
);

/** An interpolated name or call in a literal: `key-${id}`, `pw_#{name}`, `{{ value }}1`, `id-{uuid4().hex[:8]}`. */
const INTERPOLATION =
  /\$\{[\w'"(+-]|[\w][-_:/.]\$[a-z][A-Za-z]{2,40}$|<[a-z]\w{1,40}>|\\\([\w.]{1,60}\)|\$[A-Z][A-Z_]{2,40}\b|%(?:[0-9]\$|\[[0-9]\])?[sdqv](?![A-Za-z0-9])|#\{\w{1,60}|\{\$\w{1,60}|\{\{ ?[@$]?[\w.()]{1,60} ?\}\}|\{[A-Za-z_][\w.]{0,60}(?:\(\)[\w.]{0,40}){0,3}(?:\[["']?[\w:.-]{1,40}["']?\]){0,3}\}/;

const REFERENCES: readonly RegExp[] = [
  // Where code reads a secret from: `process.env.X`, `config["x"]`, `user?.password`.
  startingWith(
    `this self process os env import config conf cfg settings options opts props params args argv ctx context req
    request res response body headers event state data input users? session secrets? vars? locals? module each values
    system deno bun builtins credentials? creds account client app store environ getenv lookup vault base64 hex str
    string new await typeof function lambda`,
    '(?:[.[(?!]|->|::)',
  ),
  // Where a secret is kept: a URL, a path, a file name or a host name.
  startingWith('urn arn ref vault ssm sops op file env kms secretsmanager data', ':'),
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/[\w@-]{1,40}(?:\/[\w@.-]{1,40}){0,20}\/?$|~\/|[A-Za-z]:\\|[\w.-]{1,60}\/$)/,
  endingWith(
    `pem key crt cer der p12 pfx jks keystore keytab json ya?ml toml ini conf cfg properties env txt md html? xml s?css png jpe?g gif svg webp pdf tar t?gz zip [jw]ar
    [cm]?[jt]sx? py go rb rs java kt php sh sql lock log pub asc gpg com org net io dev local internal svc`,
  ),
  /^[a-z]{1,30}(?:[_-][a-z]{2,30}){0,4}(?:\/[a-z]{2,30}(?:[_-][a-z]{2,30}){0,4}){1,6}(?:\.[a-z]{2,10})?$/,
  /^[a-z0-9.-]{1,60}\.[a-z]{2,6}(?:\/[\w.-]{1,60}){1,10}$/,
  // A reference to something else: a list of rules or constants, or a constant named like the secret.
  /^[A-Z][A-Z_]{2,40}(?:,[A-Z][A-Z_]{2,40}){1,40}$/,
  /^[a-z_]{2,30}(?::[a-z0-9_,]{1,30})?(?:\|[a-z_]{2,30}(?::[a-z0-9_,]{1,30})?){1,10}$/,
  /^(?:[a-z]{1,12}:)?(?:[A-Z0-9]{1,30}[_-]){0,6}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|KEY)[0-9]?(?:_[A-Z0-9]{1,30}){0,3}\}?$/,
  /^[A-Z]{2,20}(?::[A-Z]{2,20}){2,6}$|^http\(s\):\/\/|^\*{1,2}https?:/,
  // The format of a header's value: `user:password`, `email:apiKey`.
  /^(?:user(?:_?name)?|e-?mail|login|id|key|gt|grant(?:_?type)?):[a-z_-]{2,30}$/i,
  // A placeholder: such a word followed by words and perhaps a number, but nothing random.
  startingWith(
    `your insert replace enter change-?_?me changeit example sample dummy fake placeholder redacted masked hidden
    removed omitted censored todo to-?_?be-?_? not-?_?set not-?_?a-?_?real`,
    '[^0-9]{0,40}[0-9]{0,4}[^0-9]{0,20}$',
  ),
  containingWord('your here insert replace example sample dummy fake placeholder redacted todo goes'),
  // Words that a schema, a form or a sentence has instead of a value.
  startingWith(
    `true false null nil none undefined nan yes no on off any unknown void string str text number integer int float
    boolean bool bytes? object array list map dict char varchar citext uuid json date datetime required optional missing
    invalid incorrect wrong weak strong empty default auto current previous generated encrypted hashed plaintext
    cleartext always never disabled enabled readonly username user admin root guest test testing pass passwd passwords? passphrase
    pwd secrets? tokens? keys? api_?-?keys? auth credentials? value login bearer basic function symbol`,
    '[0-9]?$',
  ),
  /^(?:string|text|integer|binary|map|array)(?::[a-z]{1,20}){1,3}$/,
  // A comparison in text, and a compiler-generated name.
  /[\w)]\s?[=!]==?\s?['"]|^_ZN[0-9]{1,2}[a-z]{3}/,
  // A value abbreviated after its start, calls, lists of columns, pages.
  /^[\w+/=-]{1,24}\.{3}$|^\w[\w.]{0,60}\(\)[!?.]|\)\.\w{1,40}\(/,
  /^[a-z]\w{0,40}(?:,[a-z]\w{0,40}){3,40}$|\.html?[#?]/i,
  // A query, and placeholders that are yet to be filled in.
  /^[?&][a-z_]{2,30}=|^\?[a-z]{2,20}$|^to_?-?be_?-?(?:modified|changed|replaced|filled|set)/i,
  // Algorithms, encodings and protocols, and digests with the name of their algorithm.
  startingWith(
    `sha aes rsa curve ecdsa secp bcrypt scrypt argon pbkdf hmac base utf iso rfc oauth openid saml ipv scram
    http tls ssl pkcs ecdh chacha blowfish`,
    '(?=.{0,24}$)[-_]?[0-9]{0,5}(?:[-_][a-z0-9]{1,12}|[a-z]{1,6}){0,3}$',
  ),
  /^(?:pbkdf2|hmac)\w{0,30}sha/i,
  startingWith('md [hrep]s ed x', '[-_]?[0-9]{1,5}(?:[-_][a-z0-9]{1,12}|[a-z]{1,6})?$'),
  /^(?:(?:hmac-)?sha-?(?:1|224|256|384|512)(?:[-_:=/]|$)|md5[-_:=]|h1:|ssh-)/i,
  // A constant, the fingerprint of a key, and a line of /etc/passwd.
  /^-?0x[0-9a-f]{1,8}$|^0x[0-9a-f]{1,16}u?l{1,2}$|^openpgp4fpr:|^x:[0-9]{1,6}:[0-9]{1,6}:/i,
  // The number of an advisory.
  /^(?:GHSA(?:-[0-9a-z]{4}){3}|CVE-[0-9]{4}-[0-9]{4,7})$/i,
  // Versions, dates and quantities, and the build of a package.
  /^[0-9]{1,4}(?:\.[0-9]{1,6}){1,3}=[a-z0-9_]{1,40}$/,
  /^v?[0-9]{1,4}(?:[.][0-9x*]{1,10}){1,5}(?:[-+][\w.-]{0,60})?$/i,
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{0,20}(?:Z|[+-][0-9:]{2,6})?)?$/,
  /^[-+]?[0-9]{1,20}(?:\.[0-9]{1,20})?e[-+]?[0-9]{1,4}$/i,
  /^[0-9]{1,9}(?:ms|s|m|h|d|px|%|kb|mb|gb|\.(?:second|minute|hour|day|week|month|year)s?)?$/i,
  // A method name that ends in a question mark, the account of a bot, a route.
  /^[a-z]{2,20}(?:_[a-z]{2,20}){1,6}\?$|^[a-z-]{2,40}\[bot\]$|^(?:\/:?[A-Za-z][\w-]{0,40}){1,12}\/?$/,
];

function startingWith(words: string, rest: string): RegExp {
  return new RegExp(`^!?(?:${words.split(/\s+/).join('|')})${rest}`, 'i');
}

/** The words in lower case, upper case or capitalized; `TodO` occurs by chance in random text. */
function containingWord(list: string): RegExp {
  const words = list
    .split(' ')
    .flatMap((word) => [word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`])
    .join('|');
  return new RegExp(`(?:^|[^A-Za-z0-9])(?:${words})(?:[^A-Za-z0-9]|$)`);
}

function endingWith(suffixes: string): RegExp {
  return new RegExp(String.raw`\.(?:${suffixes.split(/\s+/).join('|')})(?::[0-9]{1,5})?$`, 'i');
}
