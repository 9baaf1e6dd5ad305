import { createTwoFilesPatch } from 'diff';
import { changeOfDiff } from '../src/reviewer/change/change-of-diff.ts';

/** The text of files before and after a change, by path; null where there was none. */
export type Versions = Record<
  string,
  readonly [before: string | null, after: string | null, oldPath?: string]
>;

/** A change made of texts, with its diff as Git would write it. */
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
