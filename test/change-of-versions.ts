import { createTwoFilesPatch } from 'diff';
import { changeOfDiff } from '../src/reviewer/change/change-of-diff.ts';

/** The text of files before and after a change, by path; null if the file does not exist. */
export type Versions = Record<
  string,
  readonly [before: string | null, after: string | null, oldPath?: string]
>;

/** Creates a change from texts, with its diff in the format of Git. */
export function changeOf(versions: Versions) {
  const patches = Object.entries(versions).map(([path, [before, after, oldPath]]) => {
    const names = [
      before === null ? '/dev/null' : `a/${oldPath ?? path}`,
      after === null ? '/dev/null' : `b/${path}`,
    ] as const;
    return createTwoFilesPatch(...names, before ?? '', after ?? '', '', '', { context: 3 }).replace(
      /^=+\n/,
      '',
    );
  });
  const contents = Object.entries(versions).flatMap(([path, [, content]]) =>
    content === null ? [] : [{ path, content }],
  );
  return changeOfDiff(patches.join(''), contents);
}
