import type { z } from 'zod';
import type * as shown from '../../../../src/capabilities/reviews/reviewed-pull-requests/showing/schemas.ts';
import type * as code from '../../../../src/capabilities/reviews/shown-code/schemas.ts';
import type { Run } from '../reviews/wire.ts';

export type PullRequest = z.output<typeof shown.shownPullRequest>;
export type RunOverTime = PullRequest['runs'][number];
export type RunComparison = z.output<typeof shown.runComparison>;
export type Conversation = z.output<typeof shown.conversation>;
export type ChangedFiles = z.output<typeof code.changedFiles>;
export type ChangedFile = ChangedFiles['files'][number];
export type FilePatch = z.output<typeof code.filePatch>;
export type Patch = NonNullable<FilePatch['patch']>;
export type FileLines = z.output<typeof code.fileLines>;
export type MissingCode = NonNullable<ChangedFiles['missing']>;
export type Report = NonNullable<Run['report']>;

/** The review to show: the newest that came to a result, or else the newest. */
export function runToShow(runs: readonly RunOverTime[], chosen: string | undefined): RunOverTime | undefined {
  const hasResult = ({ status }: RunOverTime) => status === 'succeeded' || status === 'degraded';
  return runs.find(({ id }) => id === chosen) ?? runs.find(hasResult) ?? runs[0];
}

/** Why there is no code, and what would change that. */
export const missingCode: Readonly<Record<MissingCode, string>> = {
  no_commits:
    'This review has no commits to compare: it did not get that far, or it reviewed a diff that was sent to the API.',
  no_mirror:
    'This server has no copy of the repository: copies that have not been used for a long time are removed. The next review creates a new one.',
  commits_gone: 'The commits of this review are no longer in the copy of the repository.',
  unreadable: 'The copy of the repository cannot be read. The next review creates a new one.',
};

/** Why a file has no lines to show. */
export const missingLines: Readonly<Record<NonNullable<ChangedFile['missing']>, string>> = {
  binary: 'A binary file.',
  too_large: 'The change is too large to be shown.',
  submodule: 'A submodule: it now points to a different commit of its repository.',
  symbolic_link: 'A symbolic link.',
  content_missing: 'The content of this file is missing in the copy of the repository.',
};
