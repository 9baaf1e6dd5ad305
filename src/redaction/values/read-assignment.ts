/** A name and the value assigned to it, in any syntax: code, configuration, markup, a header or a sentence. */
export interface Assignment {
  readonly name: string;
  readonly nameStart: number;
  /** How name and value are joined: `=` and the like, `,` in a list or a call, the end of a tag, or a space. */
  readonly joint: 'assign' | 'list' | 'tag' | 'space';
  /** Whether there is no space between the name, the `=` and the value, as in `KEY=value`. */
  readonly tight: boolean;
  /** The part of the value to evaluate: only its start, if it is long and unquoted. */
  readonly value: string;
  readonly valueStart: number;
  readonly quoted: boolean;
  /** Whether the name is the last part of a path, as in `config/API_KEY=value`. */
  readonly isInPath: boolean;
  /** Whether a bracket follows the value, as in `read(...)`: it is code, not a literal. */
  readonly isCall: boolean;
}

type Head = Pick<Assignment, 'name' | 'nameStart' | 'joint' | 'tight' | 'isInPath'>;

const NAME_BEFORE = 60;
const MAX_LINE_BEFORE = 200;

/** What may follow a name before the operator: quotes (even escaped ones) and the bracket of `settings["name"]`. */
const AFTER_NAME = /\\{0,3}["'`]?\]?[ \t]{0,40}/y;
/** `name="X" value="Y"` in markup, `"name": "X", "value": "Y"` in JSON, the same on two lines in YAML. */
const VALUE_FIELD = /,?\s{0,20}\\?["']?value\\?["']?\s{0,5}[:=]\s{0,5}/iy;
/** An operator: `=`, `:`, `:=`, `=>`, `?=`, `+=`, `==`; but not the `::` of a class and its member. */
const OPERATOR =
  /(?::{1,3}=|[=!]==?|(?:\?\?|\|\||[?+.|])=|=>|->|=|:(?!:)|\r?\n[ \t]{1,60}=(?=[ \t]{0,5}["'`]))/y;
/** An operator with a type before it: `: string =`, `String =`. */
const TYPED_OPERATOR =
  /(?::[ \t]{0,3}[A-Za-z]|[ \t]{0,3}(?=[A-Z]|str|char|byte|text|auto|var)[A-Za-z])[\w<>&[\].|?]{0,30}[ \t]{0,5}=(?=[ \t]{0,5}["'`])/y;
/** The text between a name and a literal without an operator: `token - 'x'`, `key{"x"}`, `token() string { return "x" }`. */
const LITERAL_JOINT = /(?:-[ \t]{1,3}|\{\s{0,40}|\(\)[^\n{}"'`]{0,40}\{\s{0,40}return[ \t]{1,3})(?=["'`])/y;
/** The default of a variable in Terraform: `variable "api_token" { default = "x" }`. */
const TERRAFORM_DEFAULT = /\{[^{}]{0,300}?\bdefault[ \t]{0,20}=[ \t]{0,5}(?=")/y;
/** The operator before the default of a variable: `${NAME:-value}` in a shell, `${name:value}` in settings. */
const VARIABLE_DEFAULT = /:?[-=+]|:(?!\?)/y;
/** After a path only these introduce a value: `:tag` belongs to the path, and `=>` follows a route. */
const PATH_JOINT = /[ \t]{0,5}(?:=(?![=>])|:[ \t])/y;
const VERB = /(?:is|was|equals)[: \t](?:now |set to )?/iy;
/** A YAML block scalar, whose text starts on the next line. */
const BLOCK_SCALAR = /[ \t]{0,5}[|>][+-]?[ \t]{0,5}\r?\n[ \t]{0,40}/y;
const LINE_BREAK = /[ \t]{0,10}\r?\n[ \t]{0,60}/y;
const LINE_TO_NAME = /(?:^|\n)([ \t]*(?:- {1,3})?)["']?$/;
const LONE_WORD = /(?!-[ \t])[^\s"'`:#][^\s"'`]{3,200}(?<!:)(?=[ \t]{0,20}(?:\r?\n|$))/y;
const SPACES = /[ \t]{0,40}/y;
/** One quote, perhaps escaped or with a letter before it; three of them in Python; one kind within another. */
const OPENING_QUOTES = /[rbfuL@]{0,2}\\{0,3}(?:"""|'''|'\\?"|"\\?'|["'`])/y;
/** The text up to the closing quote, with escape sequences; a different one is used if the quote itself is escaped. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\[^\n]){0,5000}/y,
  "'": /(?:[^'\\\n]|\\[^\n]){0,5000}/y,
  '`': /(?:[^`\\\n]|\\[^\n]){0,5000}/y,
};
const QUOTED_BY_ESCAPES = /[^"'`\n]{0,5000}/y;
const UNQUOTED = /[^\s"'`<>,;()[\]{}|&\\=]{1,100}={0,2}/y;
/** A shell treats brackets as part of the value. */
const UNQUOTED_IN_SHELL = /[^\s"'`<>,;|&\\=]{1,100}={0,2}/y;
const UNQUOTED_MORE = /[^\s"'`<>,;()[\]{}|&\\]{0,90}/y;
const UNQUOTED_REST = /[^\s"'`<>,;()[\]{}|&\\]{0,5000}/y;
const STOP = /[\s"'`<>,;()[\]{}|&\\]/;
const CLOSING_TAG = /\s{0,40}<\//y;
/** A name that is the attribute of a tag around its value: `<string name="api_key">x</string>`. */
const NAMING_ATTRIBUTE = /<\w[^<>]{0,60}\s(?:name|key|id)=["']$/;
/** A setting in a Dockerfile needs no operator: `ENV DB_PASSWORD x`. */
const DOCKER_SETTING = /^[ \t]{0,20}ENV[ \t]{1,5}$/;
/** The code before a fallback value: `read("X") ?: "x"`, `env.X || 'x'`, `getenv('X') or "x"`. */
const FALLBACK =
  /[\w.$?!]{1,100}(?:[([]["'`]?[\w.-]{1,80}["'`]?[)\]]){0,2}(?:[ \t]{0,3}(?:\|\||\?\?|\?:)|[ \t]or[ \t])\s{0,40}(?=["'`])/y;

/** The end of the name that continues at `from`. */
export function endOfName(text: string, from: number): number {
  let end = from;
  while (isNameCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Parses the assignment whose name contains `start` and ends at `nameEnd`; undefined if no value follows. */
export function readAssignment(text: string, start: number, nameEnd: number): Assignment | undefined {
  const nameStart = startOfName(text, start);
  const before = text[nameStart - 1] ?? '';
  const isInPath = before === '/' && text[nameStart - 2] !== '/';
  // In the ARN of a secret in AWS, its name follows the number of the account.
  if (before === ':' && /:[0-9]{12}:$/.test(text.slice(Math.max(0, nameStart - 14), nameStart)))
    return undefined;
  // A parameter, as in `/reset/:token`, and a decentralized identifier, `did:key:…`, which is public.
  if (before === ':' && (text[nameStart - 2] === '/' || text.endsWith('did:', nameStart))) return undefined;
  if (isInPath && skip(PATH_JOINT, text, nameEnd) === nameEnd) return undefined;
  if (text.endsWith('${', nameStart)) return readVariableDefault(text, nameStart, nameEnd);
  // In `ids[token] = "x"` the name is an index, unless it is a constant.
  if (before === '[' && text.startsWith('] = ', nameEnd) && /[a-z]\w*$/.test(text.slice(nameStart, nameEnd)))
    return undefined;
  if (text.startsWith('=*/', nameEnd)) return undefined; // `/*password=*/` is the name of an argument
  const afterName = skip(AFTER_NAME, text, nameEnd);
  const [joint, at] = readJoint(text, nameStart, nameEnd, afterName);
  if (joint === undefined) return undefined;
  const tight = joint === 'assign' && at === nameEnd + 1;
  const name = text.slice(nameStart, nameEnd);
  const assignment = readValue(text, at, { name, nameStart, joint, tight, isInPath });
  if (assignment === undefined) return undefined;
  return assignment.quoted && closesText(text, nameStart, nameEnd, assignment.valueStart)
    ? undefined
    : assignment;
}

function readVariableDefault(text: string, nameStart: number, nameEnd: number): Assignment | undefined {
  const at = skip(VARIABLE_DEFAULT, text, nameEnd);
  const end = skip(UNQUOTED, text, at);
  if (at === nameEnd || end === at || text[end] !== '}') return undefined;
  return {
    ...{ name: text.slice(nameStart, nameEnd), nameStart, joint: 'assign', tight: true, isInPath: false },
    ...{ value: text.slice(at, end), valueStart: at, quoted: false, isCall: false },
  };
}

/** The fallback value in the code of an assignment, as if it were assigned itself; undefined if there is none. */
export function readFallback(text: string, assignment: Assignment): Assignment | undefined {
  if (assignment.quoted || assignment.joint !== 'assign') return undefined;
  const at = skip(FALLBACK, text, assignment.valueStart);
  return at === assignment.valueStart ? undefined : readValue(text, at, assignment);
}

/** Whether the name is that of a tag around the value, or is in an attribute of the tag. */
function isInTag(text: string, nameStart: number): boolean {
  return (
    text[nameStart - 1] === '<' || NAMING_ATTRIBUTE.test(text.slice(Math.max(0, nameStart - 80), nameStart))
  );
}

function isDockerSetting(text: string, nameStart: number): boolean {
  // Only a few characters are searched, since the line may be long.
  const before = text.slice(Math.max(0, nameStart - 30), nameStart);
  return DOCKER_SETTING.test(before.slice(before.lastIndexOf('\n') + 1));
}

/**
 * Whether the quote before the value closes the string that contains the name instead of opening a value, as in
 * `"Password:", "x"` and in `"--token=" + token`. In this case the string was opened on the same line before the name.
 */
function closesText(text: string, nameStart: number, nameEnd: number, valueStart: number): boolean {
  const quote = text.slice(nameEnd, valueStart).trimEnd().at(-1) ?? '';
  if (!/["'`]/.test(quote) || /["'`\\]/.test(text[nameEnd] as string)) return false;
  const from = Math.max(0, nameStart - MAX_LINE_BEFORE);
  const before = text.slice(from, nameStart);
  const lineStart = before.lastIndexOf('\n') + 1;
  if (lineStart === 0 && from > 0) return false; // the line is too long to tell
  const line = before.slice(lineStart);
  let open = 0;
  for (let index = line.indexOf(quote); index !== -1; index = line.indexOf(quote, index + 1)) {
    const isApostrophe =
      quote === "'" && /[A-Za-z]'[A-Za-z]/.test(line.slice(Math.max(0, index - 1), index + 2));
    if (line[index - 1] !== '\\' && !isApostrophe) open += 1;
  }
  return open % 2 === 1;
}

/** The end of the value, including everything attached to it. */
export function endOfValue(text: string, { value, valueStart, quoted }: Assignment): number {
  const end = valueStart + value.length;
  return quoted ? end : withoutPunctuation(text, end, skip(UNQUOTED_REST, text, end));
}

function readJoint(
  text: string,
  nameStart: number,
  nameEnd: number,
  at: number,
): [joint: Assignment['joint'] | undefined, next: number] {
  const field = skip(VALUE_FIELD, text, at);
  if (field > at) return ['assign', field];
  // After a closing quote another attribute follows, not a type: `name="API_KEY" type="text"`.
  const isQuoted = at > nameEnd && /["'`\\]/.test(text[nameEnd] as string);
  const assigned = skip(isQuoted ? TERRAFORM_DEFAULT : TYPED_OPERATOR, text, at);
  if (assigned > at) return ['assign', assigned];
  const operator = skip(OPERATOR, text, at);
  if (operator > at) return ['assign', operator];
  const literal = skip(LITERAL_JOINT, text, at);
  if (literal > at) return ['list', literal];
  if (text[at] === '>' && isInTag(text, nameStart)) return ['tag', at + 1];
  if (text[at] === ',' || text[at] === '(') return ['list', at + 1];
  if (text[at] === '|' && at > nameEnd) return ['list', at + 1]; // a cell of a table, unlike `totp|x`
  // In `[data-testid="password"]').click(` the quote closes the string around the name; it does not open a value.
  if (at === nameEnd || !/[ \t]/.test(text[at - 1] as string)) return [undefined, at];
  const verb = skip(VERB, text, at);
  if (verb > at) return ['assign', verb];
  return [isDockerSetting(text, nameStart) ? 'assign' : 'space', at];
}

function readValue(text: string, from: number, head: Head): Assignment | undefined {
  const at = skipToValue(text, from, head);
  const open = skip(OPENING_QUOTES, text, at);
  if (open > at) {
    const isEscaped = text[open - 2] === '\\';
    let end = skip(isEscaped ? QUOTED_BY_ESCAPES : (QUOTED[text[open - 1] as string] as RegExp), text, open);
    while (end > open && text[end - 1] === '\\') end -= 1;
    const inner = text.slice(open, end);
    // Spaces around a token do not belong to it; around anything else they show that it is not a token.
    const value = /^\s{0,10}[\w+/=.:~-]+\s{0,10}$/.test(inner) ? inner.trim() : inner;
    const valueStart = open + inner.indexOf(value);
    return { ...head, tight: false, value, valueStart, quoted: true, isCall: false };
  }
  const isShell = head.tight && at === from && /^[A-Z][A-Z0-9_]{2,60}$/.test(head.name);
  let end = skip(isShell ? UNQUOTED_IN_SHELL : UNQUOTED, text, at);
  const isCall = isShell ? /^[\w.]+[([]/.test(text.slice(at, end)) : /[([{]/.test(text[end] ?? '');
  if (text.startsWith('//', at)) return undefined; // the rest of an address
  if (text[end - 1] === '=' && !STOP.test(text[end] ?? ' ')) {
    if (!/[0-9]/.test(text.slice(at, end))) return undefined; // in `a=b=c` the `b` is a name, not a value
    end = skip(UNQUOTED_MORE, text, end);
  }
  if (head.joint === 'tag' && skip(CLOSING_TAG, text, end) === end) return undefined;
  end = withoutPunctuation(text, at, end);
  if (end === at) return undefined;
  const tight = head.tight && at === from;
  return { ...head, tight, value: text.slice(at, end), valueStart: at, quoted: false, isCall };
}

/** Excludes the punctuation at the end of a sentence from an unquoted value. */
function withoutPunctuation(text: string, start: number, end: number): number {
  let last = end;
  // `**No password is set.**` is the end of a sentence, in bold type.
  if (text.startsWith('.**', end - 3)) last -= 2;
  while (last > start && '.:?'.includes(text[last - 1] as string)) last -= 1;
  return last;
}

/**
 * Skips the space before a value. The value may be on the next line if a quote, a block scalar, a tag or YAML's indentation shows
 * that it belongs to the name.
 */
function skipToValue(text: string, from: number, { joint, name, nameStart }: Head): number {
  const isInQuotes = /["'`]/.test(text[nameStart + name.length] ?? '');
  const block = skip(BLOCK_SCALAR, text, from);
  if (block > from) return block;
  const nextLine = skip(LINE_BREAK, text, from);
  const isQuoted = skip(OPENING_QUOTES, text, nextLine) > nextLine;
  if (nextLine > from && (joint === 'tag' || (isQuoted && !(joint === 'list' && isInQuotes))))
    return nextLine;
  if (nextLine > from && text[from - 1] === ':' && isIndentedScalar(text, nameStart, nextLine))
    return nextLine;
  return skip(SPACES, text, from);
}

/** Whether the line at `at` is a single word and indented deeper than the name, which must start a line. */
function isIndentedScalar(text: string, nameStart: number, at: number): boolean {
  const before = LINE_TO_NAME.exec(text.slice(Math.max(0, nameStart - 60), nameStart));
  if (before === null || skip(LONE_WORD, text, at) === at) return false;
  const indentation = at - 1 - text.lastIndexOf('\n', at - 1);
  return indentation > (before[1] as string).length;
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function startOfName(text: string, from: number): number {
  let start = from;
  while (from - start < NAME_BEFORE && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** True for letters, digits, `_`, `-`, `.` and `$`. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36
  );
}
