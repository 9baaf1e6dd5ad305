import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { type Segment, splitMarkdown } from './split-markdown.ts';

/** The limits of a text that a model wrote. */
export interface TextLimits {
  /** The URL of the repository on its host; links to anything else are removed. */
  readonly repositoryUrl?: string | undefined;
  readonly maxLength: number;
}

const linkRemoved = '(link removed)';

/** Characters that are invisible, or that reverse the reading direction. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}]|\p{Default_Ignorable_Code_Point}/gu;

const addresses =
  /[a-z0-9+.-]*:\/\/[^\s"'`<>)\]}]+|www\.[^\s"'`<>)\]}]+|(?:mailto:|(?:java|vb)script:|data:\w+\/)[^\s"'`<>)\]}]+|(?<![\w:/.*])\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s"'`<>)\]}]*/giu;

/**
 * Sanitizes a Markdown text of a model for posting: removes credentials, links to other places, images, HTML, mentions,
 * references to issues, and anything that a bot could take for a command. The text is written anew from its parsed segments,
 * so that the host parses it in the same way.
 */
export function cleanText(text: string, limits: TextLimits): string {
  const visible = text.normalize('NFC').replaceAll('\r\n', '\n').replaceAll(invisible, '');
  const redacted = redactCredentials(cut(visible, limits.maxLength));
  const written = splitMarkdown(redacted).map((segment) => writeSegment(segment, limits));
  return redactCredentials(
    written
      .join('')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

function writeSegment(segment: Segment, limits: TextLimits): string {
  if (segment.kind === 'text') return cleanProse(segment.text, limits);
  const code = disarm(segment.text, limits);
  if (segment.kind === 'code') return `\`${code}\``;
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}${segment.language}\n${code}\n${fence}\n`;
}

/** Sanitizes a text of one line, such as a title. */
export function cleanLine(text: string, limits: TextLimits): string {
  const line = cleanText(text.replaceAll(/\s+/g, ' '), limits).replaceAll(/\s+/g, ' ');
  return line.replaceAll(/^[#>*\-+\s]+/g, '');
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Removes what must not be anywhere in a comment, not even in code: bots read code blocks too. */
function disarm(text: string, { repositoryUrl }: TextLimits): string {
  return (
    text
      .replaceAll(addresses, (address) => (isOwn(address, repositoryUrl) ? address : linkRemoved))
      // A mention, also one that is meant for a bot.
      .replaceAll(/[@\uff20\ufe6b]+(?=[\p{L}\p{N}_\-[{*`~\\])/gu, '')
      // A quick action or a command of a bot at the beginning of a line.
      .replaceAll(/^([\s>*+-]*)\/(?=[a-z])/gimu, '$1/ ')
      .replaceAll(/^([\s>*+-]*)(?:bors|homu|rultor|mergify|jenkins)\b/gimu, '$1($&)')
  );
}

function isOwn(address: string, repositoryUrl: string | undefined): boolean {
  if (repositoryUrl === undefined) return false;
  const url = URL.parse(address);
  const own = URL.parse(repositoryUrl);
  if (url === null || own === null || url.username !== '' || url.password !== '') return false;
  const folder = own.pathname.replace(/\/?$/, '/');
  return url.origin === own.origin && `${url.pathname}/`.startsWith(folder);
}

/** Repeats until nothing changes, because removing a tag can form another one from the text around it. */
function withoutTags(text: string): string {
  let current = text;
  for (;;) {
    const next = current.replaceAll(/<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^<>]*>/gi, '');
    if (next === current) return current;
    current = next;
  }
}

/** Sanitizes prose: removes HTML, images, links behind other texts, and references to issues. */
function cleanProse(text: string, limits: TextLimits): string {
  const unlinked = withoutTags(decodeEntities(text))
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replaceAll(/\[([^\]]*)\]\(([^)\s]*)[^)]*\)?/g, (_, name: string, address: string) =>
      isOwn(address, limits.repositoryUrl) ? `${name} (${address})` : name,
    );
  return (
    disarm(unlinked, limits)
      .replaceAll('<', '&lt;')
      .replaceAll('`', "'")
      // Breaks up remains that could form a link or an image.
      .replaceAll('](', '] (')
      .replaceAll('![', '! [')
      .replaceAll(/^(\s*\[[^\]]*\]):/gm, '$1 :')
      // Pull requests and issues, of this repository or another, that a host would link.
      .replaceAll(/(?<![\p{L}\p{N}_&/])([\w.-]+\/[\w./-]+)?[#!](?=\d)/gu, '$1 ')
      .replaceAll(/\bGH-(?=\d)/gi, 'GH ')
      .replaceAll(/\\+(?=\n|$)/g, '')
  );
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
  sol: '/',
  colon: ':',
  period: '.',
  num: '#',
  lbrack: '[',
  lsqb: '[',
  rsqb: ']',
  lpar: '(',
  rpar: ')',
  excl: '!',
  grave: '`',
  bsol: '\\',
  Tab: ' ',
  NewLine: '\n',
  nbsp: ' ',
};

/** Decodes entities, also nested ones, because the host would decode them after our checks. */
function decodeEntities(text: string): string {
  let current = text;
  for (let round = 0; round < 5; round += 1) {
    const next = current.replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,31}));?/gi,
      (whole, decimal, hex, name) => {
        if (name !== undefined) return named[name] ?? `& ${whole.slice(1)}`;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '';
        return String.fromCodePoint(code).replaceAll(invisible, '');
      },
    );
    if (next === current) return current;
    current = next;
  }
  return current.replaceAll('&', ' ');
}
