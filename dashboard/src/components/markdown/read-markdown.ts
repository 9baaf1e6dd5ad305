import MarkdownIt, { type Token } from 'markdown-it';

/** A token of Markdown with its children. */
export interface MarkdownNode {
  readonly token: Token;
  readonly children: readonly MarkdownNode[];
}

const reader = new MarkdownIt({ html: true, breaks: true, linkify: true });
// Names of files look like host names, so only complete URLs become links.
reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Longer texts are shown as plain text. */
const maxLength = 100_000;

/** Parses a text in Markdown; null if it is too long. */
export function readMarkdown(text: string): readonly MarkdownNode[] | null {
  return text.length > maxLength ? null : nest(reader.parse(text, {}));
}

function nest(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const children = nest(token.children ?? []);
    open.at(-1)!.push({ token, children });
    if (token.nesting === 1) open.push(children);
  }
  return root;
}

/** The URL of an untrusted link, if it is a complete http or https URL; otherwise null. */
export function safeAddress(href: string): string | null {
  return URL.canParse(href) && ['http:', 'https:'].includes(new URL(href).protocol) ? href : null;
}

/** The text of HTML without its tags and comments. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<!--.*?(?:-->|$)/gs, '')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .trim();
