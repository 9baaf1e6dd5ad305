import type { Change } from './change/change.ts';
import type { ReviewConfiguration } from './configuration/review-configuration.ts';
import type { CoverageReason } from './coverage.ts';
import type { FindingGrounds, FindingPlace, FindingText } from './finding.ts';
import type { TreeView } from './repository/tree-view.ts';
import type { Ecosystem, Report } from './review-report.ts';

/** A version of a file, as rules see it. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** What a rule reports about a text; whether the change caused it is decided later. */
export interface RuleFinding extends FindingText, FindingGrounds {
  readonly startLine: number;
  readonly endLine: number;
  /** With the name of its source in front: `oxlint/no-unsafe-finally`. */
  readonly rule: string;
}

/**
 * One tool that finds things in texts without a model. It executes nothing of what it looks at and reads no
 * configuration of the repository. It rejects when it fails: the run is then degraded.
 */
export interface RuleSource {
  /** As the configuration names it. */
  readonly name: string;
  /** Looks at any text, and so does not count as rules for its language. */
  readonly isGeneral?: true;
  /** Looks at texts in a process of its own, so that others can meanwhile. */
  readonly isProgram?: true;
  /** Whether it has anything to say about such a file; decides what coverage calls reviewed. */
  covers(path: string): boolean;
  /** What it finds in each of the files, in their order. The same path may come twice, in two versions. */
  find(files: readonly SourceText[], signal: AbortSignal): Promise<readonly (readonly RuleFinding[])[]>;
  /**
   * Whether it understands such a text at all, or stays silent about a template or something broken. Where it was silent about
   * the old version, what it says about lines that stay is no news. Absent: it understands any.
   */
  understands?(file: SourceText): boolean;
  /** What people should know about how it looked at such files: that a part of it is missing on this machine. */
  remark?(signal: AbortSignal): Promise<string | undefined>;
}

/** A finding with its place, as sources raise it that look at more than one file. */
export interface PlacedFinding extends FindingPlace, FindingText, FindingGrounds {
  readonly rule: string;
}

/** A change with both of its sides. */
export interface ChangeSides {
  readonly change: Change;
  readonly base: TreeView;
  readonly head: TreeView;
  /** Whether the repository is behind it; otherwise, both sides have the files of the change alone. */
  readonly hasRepository: boolean;
  /** Whose repository it is, by name at the host; undefined where nobody knows. */
  readonly owner?: string | undefined;
}

/** A version that a change brings, and where it stands. */
export interface BroughtVersion {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly line: number | null;
}

/** What a source came to that compared both sides of a change. Plain JSON. */
export interface Comparison {
  readonly findings: readonly PlacedFinding[];
  /** Files of the change that it covers and could not read whole, and why; people learn more in a note. */
  readonly unread: readonly { readonly path: string; readonly reason: CoverageReason }[];
  readonly notes: readonly string[];
  /** Versions that the change brings, which somebody may know more about. */
  readonly brought?: readonly BroughtVersion[];
  /** What it adds to the report. */
  readonly report: Partial<Pick<Report, 'dependencies' | 'total_dependencies' | 'contracts'>>;
}

/**
 * One tool that compares what a change makes of files with what they were, and may look into the rest of the repository. It
 * executes nothing and decides by itself what the change has brought. It rejects when it fails: the run is then degraded.
 */
export interface ChangeRuleSource {
  /** As the configuration names it; its findings begin with it. */
  readonly name: string;
  /** Whether it has anything to say about such a file; only then it is asked, and coverage calls the file reviewed. */
  covers(path: string): boolean;
  /** Whether such a file may matter to it, by what is in it: then it is asked as well. */
  mayCover?(path: string): boolean;
  compare(
    sides: ChangeSides,
    reviews: ReviewConfiguration['reviews'],
    signal: AbortSignal,
  ): Promise<Comparison>;
}

/** By what they look at: texts, or a change as a whole. */
export type AnyRuleSource = RuleSource | ChangeRuleSource;
