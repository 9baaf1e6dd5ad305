import { maskCode, masked } from './mask-code.ts';

export const commandNames = [
  'review',
  'full review',
  'pause',
  'resume',
  'resolve',
  'ignore',
  'fix',
  'help',
  'remember',
  'override',
] as const;
export type CommandName = (typeof commandNames)[number];

export interface Command {
  readonly name: CommandName;
  /** The text to remember, or the check to override with the reason; empty for other commands. */
  readonly text: string;
}

/** What a comment asks of the account that it mentions. */
export interface Address {
  readonly commands: readonly Command[];
  /** Whether the comment asks something, or is otherwise addressed to the account, without being a command. */
  readonly isQuestion: boolean;
}

/** Hosts allow about 65,000 characters; commands are at the beginning of a line somewhere before that. */
const maxLength = 20_000;
const maxCommands = 5;

/** Commands that are followed by free text. */
const withTexts = ['remember', 'override'] as const;

/** Words around a command that do not change its meaning. */
const fillers = new Set(
  'please pls now again this it that all the a pr mr pull merge request thread threads comment comments finding reviews reviewing changes thanks'.split(
    ' ',
  ),
);

/**
 * Fewer fillers are allowed after `fix`: `fix this` means a single finding, but the command would commit all safe
 * suggestions.
 */
const fixFillers = new Set('please pls now again all'.split(' '));

/**
 * Matches a mention of the account that is not part of a longer name, an email address or a path. Apps are mentioned without
 * `[bot]`.
 */
function mentionOf(username: string): string {
  const name = RegExp.escape(username.replace(/\[bot\]$/i, ''));
  return `(?<![\\p{L}\\p{N}_.@/\`-])@${name}(?:\\[bot\\])?(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`;
}

/** The command in a line after the mention; undefined if it is not a command. */
function commandOf(said: string): CommandName | undefined {
  const words = said
    .toLowerCase()
    .replaceAll(/[*_~.!,;:"'“”]+/g, ' ')
    .replaceAll('full-review', 'full review')
    .split(/\s+/)
    .filter((word) => word !== '');
  while (words.length > 0 && (words[0] === 'please' || words[0] === 'pls')) words.shift();
  const withText = withTexts.find((name) => name === words[0]);
  if (withText !== undefined) return withText;
  const name = words[0] === 'full' && words[1] === 'review' ? 'full review' : words[0];
  const rest = words.slice(name === 'full review' ? 2 : 1);
  const isFiller = (word: string) => (name === 'fix' ? fixFillers : fillers).has(word);
  return rest.every(isFiller) ? commandNames.find((one) => one === name) : undefined;
}

/**
 * Parses what a comment asks of an account. A command is at the beginning of a line, right after the mention; code,
 * quotations and hidden text are ignored. Null if the account is not mentioned.
 */
export function readAddress(body: string, username: string): Address | null {
  const original = body.slice(0, maxLength);
  const text = maskCode(original);
  const mention = mentionOf(username);
  if (!new RegExp(mention, 'iu').test(text)) return null;
  const lines = [
    ...text.matchAll(new RegExp(`^ {0,3}(?:(?:[-*+]|\\d+[.)])\\s+)?${mention}[,:]?([^\\n]*)$`, 'gimu')),
  ];
  const commands = lines.flatMap((line, index): Command[] => {
    const name = commandOf(line[1]!);
    if (name === undefined) return [];
    if (!withTexts.some((one) => one === name)) return [{ name, text: '' }];
    const start = line.index + line[0].length - line[1]!.length;
    const said = original.slice(start, lines[index + 1]?.index);
    return [{ name, text: textAfter(name, said) }];
  });
  const distinct = [...new Map(commands.map((command) => [JSON.stringify(command), command])).values()];
  const isAsked = lines.length > 0 || text.replaceAll(masked, '').includes('?');
  return { commands: distinct.slice(0, maxCommands), isQuestion: distinct.length === 0 && isAsked };
}

/** The original text after a command. */
function textAfter(name: CommandName, said: string): string {
  const filler = name === 'remember' ? '(?:that\\b\\s*)?' : '';
  return said
    .replace(new RegExp(`^[\\s*_~,:]*(?:please[\\s,]+|pls[\\s,]+)?${name}\\b[*_~:,]*\\s*${filler}`, 'i'), '')
    .replaceAll(/<!--[\s\S]*?(?:-->|$(?![\s\S]))/g, '')
    .trim();
}
