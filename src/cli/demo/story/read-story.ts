import { seededRandom } from '../../../lib/seeded-random.ts';

/** The contents of files after a commit; null if the file is deleted. */
export type Contents = ReadonlyMap<string, string | null>;

export interface StoryCommit {
  readonly author: string;
  /** How many days before the end of the story. */
  readonly day: number;
  readonly message: string;
  readonly contents: Contents;
}

/** An action of a person on a pull request after it was opened, apart from commits. */
export interface StoryAct {
  readonly kind: 'say' | 'reply' | 'approve' | 'coverage' | 'merge' | 'close';
  readonly by: string;
  readonly day: number;
  /** For a reply: a part of the finding's title. */
  readonly about: string;
  readonly text: string;
}

export interface StoryPull {
  readonly author: string;
  readonly day: number;
  readonly title: string;
  description: string;
  readonly asked: string[];
  readonly askedTeams: string[];
  isDraft: boolean;
  readonly commits: StoryCommit[];
  readonly acts: StoryAct[];
}

/** A repository's history: commits on its main branch, and pull requests. */
export interface Story {
  readonly name: string;
  readonly id: string;
  /** The number of its first pull request with code; earlier ones have none. */
  readonly firstNumber: number;
  readonly commits: StoryCommit[];
  readonly pulls: StoryPull[];
  /** The findings of the scripted model during the recording, by the code that they quote. */
  readonly words: ModelWord[];
}

export interface ModelWord {
  readonly path: string;
  readonly quote: string;
  readonly title: string;
  readonly body: string;
  readonly severity: string;
  readonly category: string;
  readonly suggestion?: string;
  /** The beginning of the Learning that led to it. */
  readonly learning?: string;
}

/** Looks like a key of a payment provider, but is not one. Generated, so that secret scanners do not find it in our source. */
function madeUpKey(): string {
  const random = seededRandom(11);
  const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  return `sk_${'live'}_${Array.from({ length: 32 }, () => random.pick([...characters])).join('')}`;
}

interface Directive {
  readonly words: readonly string[];
  readonly text: string;
  /** The line number in the story's file, for error messages. */
  readonly line: number;
}

function directivesOf(source: string): Directive[] {
  const directives: { words: string[]; lines: string[]; line: number }[] = [];
  for (const [index, line] of source.split('\n').entries()) {
    if (line.startsWith('%% '))
      directives.push({ words: line.slice(3).split(' '), lines: [], line: index + 1 });
    else directives.at(-1)?.lines.push(line);
  }
  return directives.map(({ words, lines, line }) => ({
    words,
    line,
    text: `${lines.join('\n').replace(/\n+$/, '')}\n`.replaceAll('{{live key}}', madeUpKey()),
  }));
}

const block = /^<<<\n(.*?)^===\n(.*?)^>>>$/gms;

/** Applies the edits in a text to a file; each must match exactly once. */
function edited(before: string, text: string, line: number): string {
  let content = before;
  for (const [, found, put] of text.matchAll(block)) {
    if (content.split(found!).length !== 2) throw new Error(`line ${line}: not there exactly once: ${found}`);
    content = content.replace(found!, () => put!);
  }
  return content;
}

type Files = ReadonlyMap<string, string>;

function withContents(files: Files, contents: Contents): Files {
  const after = new Map(files);
  for (const [path, content] of contents)
    if (content === null) after.delete(path);
    else after.set(path, content);
  return after;
}

/** The files that a pull request changes, with their contents after its last commit. */
export function changesOf({ commits }: StoryPull): Contents {
  return new Map(commits.flatMap(({ contents }) => [...contents]));
}

/**
 * Parses a story: plain text with directives in lines that begin with `%%`, each with the text below it. Commits that follow a
 * pull request belong to it: those before its day exist when it is opened, and each later one is a push.
 */
export function readStory(source: string): Story {
  const [head, ...directives] = directivesOf(source);
  const [, name, id, firstNumber] = head!.words;
  const story: Story = {
    name: name!,
    id: id!,
    firstNumber: Number(firstNumber),
    commits: [],
    pulls: [],
    words: [],
  };
  let main: Files = new Map();
  let files: Files = main;
  let pull: StoryPull | undefined;
  let contents: Map<string, string | null> | undefined;
  const settle = () => {
    if (contents !== undefined) files = withContents(files, contents);
    contents = undefined;
    if (pull === undefined) main = files;
  };
  for (const { words, text, line } of directives) {
    const [kind, first = '', second = '', ...rest] = words;
    const act = (more: Partial<StoryAct> = {}) =>
      pull!.acts.push({
        kind: kind as StoryAct['kind'],
        by: first,
        day: Number(second),
        about: rest.join(' '),
        text: text.trim(),
        ...more,
      });
    switch (kind) {
      case 'commit': {
        settle();
        contents = new Map();
        const commit = { author: first, day: Number(second), message: rest.join(' '), contents };
        (pull?.commits ?? story.commits).push(commit);
        break;
      }
      case 'file':
        contents!.set(first, text);
        break;
      case 'edit': {
        const before = contents!.get(first) ?? files.get(first);
        if (before === undefined) throw new Error(`line ${line}: there is no ${first}`);
        contents!.set(first, edited(before, text, line));
        break;
      }
      case 'delete':
        contents!.set(first, null);
        break;
      case 'pull':
        settle();
        files = main;
        pull = {
          author: first,
          day: Number(second),
          title: rest.join(' '),
          description: text.trim(),
          asked: [],
          askedTeams: [],
          isDraft: false,
          commits: [],
          acts: [],
        };
        story.pulls.push(pull);
        break;
      case 'ask':
        pull!.asked.push(...words.slice(1));
        break;
      case 'ask-team':
        pull!.askedTeams.push(...words.slice(1));
        break;
      case 'draft':
        pull!.isDraft = true;
        break;
      case 'merge':
        act();
        settle();
        main = withContents(main, changesOf(pull!));
        break;
      case 'main':
        settle();
        files = main;
        pull = undefined;
        break;
      case 'model':
        story.words.push(JSON.parse(text) as ModelWord);
        break;
      case 'say':
      case 'reply':
      case 'approve':
      case 'coverage':
      case 'close':
        act();
        break;
      default:
        throw new Error(`line ${line}: no such directive: ${kind}`);
    }
  }
  return story;
}
