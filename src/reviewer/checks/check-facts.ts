import type { Severity } from '../finding-vocabulary.ts';
import type { CheckVerdict, CoveredFile } from '../review-report.ts';
import type { CheckQuestion } from './check-question.ts';

/** A changed file, as far as checks ask about it. */
export interface CheckedFile {
  readonly path: string;
  readonly isDeleted: boolean;
  readonly added: number;
  readonly removed: number;
}

/** What reports say about the lines that a change adds. */
export interface ChangeCoverage {
  /** Changed files that reports know, with their added lines that can be run, and those that were. */
  readonly files: readonly CoveredFile[];
  /** Some changed files with code that no report knows. */
  readonly absent: readonly string[];
  /** How many files of the repository the reports are about. */
  readonly matched: number;
  /** Some paths of the reports that are no files of the repository. */
  readonly unmatched: readonly string[];
  /** How many lines of the reports cannot be read. */
  readonly unread: number;
}

/** What is known of a pull request beside its change. */
export interface PullRequestFacts {
  readonly title: string;
  readonly description: string;
  /** What title and description name, and whether the host has such an issue. */
  readonly issues: readonly { readonly reference: string; readonly exists: boolean }[];
  readonly approvals: Approvals;
}

/** Who approved a pull request as it is, but for its author. */
export interface Approvals {
  readonly by: readonly {
    readonly username: string;
    /** How CODEOWNERS can name them, in lower case: `@bob`, an address, `@acme/shop` for each of their teams. */
    readonly names: readonly string[];
  }[];
  /** The teams whose members are known, in the same words. */
  readonly teams: readonly string[];
  /** All people of the organization or group, likewise; nobody knows here who of them GitLab would count. */
  readonly group: string;
  /** Why the host does not tell; null if it does. */
  readonly unknown: string | null;
}

/** What CODEOWNERS says about the files of a change. */
export interface OwnedFiles {
  readonly groups: readonly {
    readonly owners: readonly string[];
    readonly approvals: number;
    /** Some of the files that they own, and how many there are. */
    readonly paths: readonly string[];
    readonly files: number;
  }[];
  /** How many files have owners, and how many have none. */
  readonly files: number;
  readonly unowned: number;
  /** What of the file the host can read and we cannot, in words; null if nothing. */
  readonly unread: string | null;
}

/** What checks decide by. */
export interface CheckFacts {
  /** Null in a working copy. */
  readonly pullRequest: PullRequestFacts | null;
  /** Why the change could not be read, so that nothing is known of it; null if it was. */
  readonly unread: string | null;
  readonly files: readonly CheckedFile[];
  /** The titles of the commits of the change, newest first. */
  readonly commits: readonly string[];
  /** The severities of everything that is open. */
  readonly findings: readonly Severity[];
  /** Why more may be open than is known, as a sentence; null if this is all. */
  readonly unreviewed: string | null;
  /** Null where there is no CODEOWNERS, or nobody asked for it. */
  readonly owned: OwnedFiles | null;
  /** Null where there is no report. */
  readonly coverage: ChangeCoverage | null;
  /** Reports that could not be read, and why. */
  readonly coverageFaults: readonly string[];
  /** What a model says to a question; skipped where there is none to ask. */
  readonly answerTo: (question: CheckQuestion) => Outcome;
}

/** What a check says. `text` is one sentence, and names what is missing. */
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

/** A few of a list, for a sentence. */
export function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
