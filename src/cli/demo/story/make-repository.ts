import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { changesOf, type Story, type StoryCommit, type StoryPull } from './read-story.ts';

/** The end of the story: fixed, so that its commits have the same ids everywhere. */
export const storyEnd = new Date('2026-07-01T16:00:00.000Z');
const dayMs = 86_400_000;

/** The time that is so many days before the end of the story. */
export function timeOf(day: number): Date {
  return new Date(storyEnd.getTime() - day * dayMs);
}

/**
 * The commits of a pull request in order, with the commit of main that it starts from and its merge commit; null if it is not
 * merged.
 */
export interface MadePull {
  readonly pull: StoryPull;
  readonly number: number;
  readonly base: string;
  readonly heads: readonly string[];
  readonly merged: string | null;
}

export interface MadeRepository {
  readonly main: string;
  readonly pulls: readonly MadePull[];
}

/** Writes a story as the input of `git fast-import`. */
class Writer {
  readonly parts: string[] = [];
  #mark = 0;

  commit(
    ref: string,
    { author, day, message, contents }: StoryCommit,
    parents: readonly (number | undefined)[],
  ): number {
    this.#mark += 1;
    const [from, merge] = parents;
    const who = `${author} <${author}@northwind.test> ${Math.floor(timeOf(day).getTime() / 1000)} +0000`;
    this.parts.push(
      `commit ${ref}\nmark :${this.#mark}\nauthor ${who}\ncommitter ${who}\n${data(message)}`,
      from === undefined ? '' : `from :${from}\n`,
      merge === undefined ? '' : `merge :${merge}\n`,
    );
    for (const [file, content] of contents)
      this.parts.push(content === null ? `D ${file}\n` : `M 100644 inline ${file}\n${data(content)}`);
    this.parts.push('\n');
    return this.#mark;
  }
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

interface Marked {
  readonly pull: StoryPull;
  readonly base: number;
  readonly heads: readonly number[];
  readonly merged: number | null;
}

function writeStory(story: Story): { stream: string; main: number; pulls: Marked[] } {
  const writer = new Writer();
  let main: number | undefined;
  const pulls: Marked[] = [];
  const merges: { readonly day: number; merge(): void }[] = [];
  // In chronological order, since a pull request starts from the main branch of its time.
  const onMain = story.commits.map((commit) => ({
    day: commit.day,
    merge: () => {
      main = writer.commit('refs/heads/main', commit, [main]);
    },
  }));
  for (const [index, pull] of story.pulls.entries()) {
    const begun = { base: 0, heads: [] as number[], merged: null as number | null };
    pulls.push(Object.assign(begun, { pull }));
    merges.push({
      day: pull.commits[0]!.day,
      merge() {
        begun.base = main!;
        let head = main!;
        for (const commit of pull.commits) {
          head = writer.commit(`refs/pull/${story.firstNumber + index}/head`, commit, [head]);
          begun.heads.push(head);
        }
      },
    });
    const end = pull.acts.find(({ kind }) => kind === 'merge');
    if (end === undefined) continue;
    const message = `${pull.title} (#${story.firstNumber + index})`;
    merges.push({
      day: end.day,
      merge() {
        const commit = { author: end.by, day: end.day, message, contents: changesOf(pull) };
        main = writer.commit('refs/heads/main', commit, [main, begun.heads.at(-1)]);
        begun.merged = main;
      },
    });
  }
  for (const { merge } of [...onMain, ...merges].sort((a, b) => b.day - a.day)) merge();
  return { stream: writer.parts.join(''), main: main!, pulls };
}

/** Creates an empty bare repository, unless it exists. */
export async function makeBareRepository(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'objects'), { recursive: true });
  await mkdir(path.join(folder, 'refs', 'heads'), { recursive: true });
  await writeFile(path.join(folder, 'config'), '[core]\nrepositoryformatversion = 0\nbare = true\n');
  await writeFile(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
}

/** Creates the commits of a story in a bare repository, and returns their ids. */
export async function makeRepository(story: Story, folder: string, git = 'git'): Promise<MadeRepository> {
  const { stream, main, pulls } = writeStory(story);
  const marks = path.join(folder, 'story-marks');
  await new Promise<void>((resolve, reject) => {
    const args = ['-C', folder, 'fast-import', '--quiet', '--force', `--export-marks=${marks}`];
    const child = execFile(git, args, (error) => (error === null ? resolve() : reject(error)));
    child.stdin!.end(stream);
  });
  const ids = new Map(
    (await readFile(marks, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  await rm(marks);
  const idOf = (mark: number) => ids.get(`:${mark}`)!;
  return {
    main: idOf(main),
    pulls: pulls.map(({ pull, base, heads, merged }, index) => ({
      pull,
      number: story.firstNumber + index,
      base: idOf(base),
      heads: heads.map(idOf),
      merged: merged === null ? null : idOf(merged),
    })),
  };
}
