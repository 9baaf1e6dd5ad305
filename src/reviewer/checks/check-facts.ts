import type { Severity } from '../finding-vocabulary.ts';
import type { CheckVerdict, CoveredFile } from '../review-report.ts';
import type { CheckQuestion } from './check-question.ts';

/** The facts about a changed file that checks need. */
export interface CheckedFile {
  readonly path: string;
  readonly isDeleted: boolean;
  readonly added: number;
  readonly removed: number;
}

/** The coverage of the lines that a change adds. */
export interface ChangeCoverage {
  /** Changed files in the reports, with the number of added lines that can be run, and the number that were run. */
  readonly files: readonly CoveredFile[];
  /** Some of the changed files with code that are in no report. */
  readonly absent: readonly string[];
  /** The number of files of the repository that are in the reports. */
  readonly matched: number;
  /** Some of the reports' paths that are not files of the repository. */
  readonly unmatched: readonly string[];
  /** The number of lines of the reports that cannot be parsed. */
  readonly unread: number;
}

/** The facts about a pull request, without its change. */
export interface PullRequestFacts {
  readonly title: string;
  readonly description: string;
  /** The issues that the title and description mention, and whether they exist at the host. */
  readonly issues: readonly { readonly reference: string; readonly exists: boolean }[];
  readonly approvals: Approvals;
}

/** The current approvals of a pull request, without one by its author. */
export interface Approvals {
  readonly by: readonly {
    readonly username: string;
    /** Names by which CODEOWNERS can refer to them, in lower case: `@bob`, an email address, `@acme/shop` for each team. */
    readonly names: readonly string[];
  }[];
  /** The teams whose members are known, in the same form. */
  readonly teams: readonly string[];
  /** The organization or group, in the same form. Which of its members GitLab counts as owners is not known. */
  readonly group: string;
  /** Why the host does not report approvals; null if it does. */
  readonly unknown: string | null;
}

/** The owners of the files of a change, from CODEOWNERS. */
export interface OwnedFiles {
  readonly groups: readonly {
    readonly owners: readonly string[];
    readonly approvals: number;
    /** Some of the files that they own; `files` is the total. */
    readonly paths: readonly string[];
    readonly files: number;
  }[];
  /** The numbers of files with owners and of files without. */
  readonly files: number;
  readonly unowned: number;
  /** The parts of CODEOWNERS that the host can parse but we cannot, as a text; null if there are none. */
  readonly unread: string | null;
}

/** The facts on which checks decide. */
export interface CheckFacts {
  /** Null in a working copy. */
  readonly pullRequest: PullRequestFacts | null;
  /** Why the change could not be read (all facts about it are then empty); null if it was read. */
  readonly unread: string | null;
  readonly files: readonly CheckedFile[];
  /** The titles of the commits of the change, newest first. */
  readonly commits: readonly string[];
  /** The severities of all open findings. */
  readonly findings: readonly Severity[];
  /** Why there may be more open findings, as a sentence; null if `findings` is complete. */
  readonly unreviewed: string | null;
  /** Null if there is no CODEOWNERS, or no check needs it. */
  readonly owned: OwnedFiles | null;
  /** Null if there is no report. */
  readonly coverage: ChangeCoverage | null;
  /** Reports that could not be parsed, and why. */
  readonly coverageFaults: readonly string[];
  /** A model's answer to a question; skipped if no model is configured. */
  readonly answerTo: (question: CheckQuestion) => Outcome;
}

/** The result of a check. `text` is one sentence that names what is missing. */
export type Outcome = Pick<CheckVerdict, 'verdict' | 'text' | 'files' | 'total_files'>;

export const passed = (text: string): Outcome => ({ verdict: 'passed', text });
export const failed = (text: string): Outcome => ({ verdict: 'failed', text });
export const inconclusive = (text: string): Outcome => ({ verdict: 'inconclusive', text });
export const skipped = (text: string): Outcome => ({ verdict: 'skipped', text });

/** A number with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

const maxListed = 3;

/** The first few names of a list as text, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
