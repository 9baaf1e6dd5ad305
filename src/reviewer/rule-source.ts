import type { Change } from './change/change.ts';
import type { ReviewConfiguration } from './configuration/review-configuration.ts';
import type { CoverageReason } from './coverage.ts';
import type { FindingGrounds, FindingPlace, FindingText } from './finding.ts';
import type { TreeView } from './repository/tree-view.ts';
import type { Ecosystem, Report } from './review-report.ts';

/** A version of a file, as rules examine it. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A finding of a rule in a text; whether the change introduced it is decided later. */
export interface RuleFinding extends FindingText, FindingGrounds {
  readonly startLine: number;
  readonly endLine: number;
  /** With the name of its source as the prefix: `oxlint/no-unsafe-finally`. */
  readonly rule: string;
}

/**
 * A tool that finds faults in texts without a model. It executes nothing of what it examines, and reads no configuration of
 * the repository. It rejects if it fails, which degrades the run.
 */
export interface RuleSource {
  /** The name in the configuration. */
  readonly name: string;
  /** Set if it examines any text, and so does not count as rules for a language. */
  readonly isGeneral?: true;
  /** Set if it runs in a process of its own, so that others can run at the same time. */
  readonly isProgram?: true;
  /** Whether it can have findings in such a file; coverage depends on it. */
  covers(path: string): boolean;
  /** The findings in each of the files, in their order. The same path may occur twice, in two versions. */
  find(files: readonly SourceText[], signal: AbortSignal): Promise<readonly (readonly RuleFinding[])[]>;
  /**
   * Whether it can parse such a text, rather than ignoring a template or broken code. If it could not parse the old version,
   * findings on unchanged lines are not new. Absent if it can parse any text.
   */
  understands?(file: SourceText): boolean;
  /** A note about how it examined the files, for example that a program is not installed. */
  remark?(signal: AbortSignal): Promise<string | undefined>;
}

/** A finding with its place, of a source that examines more than one file. */
export interface PlacedFinding extends FindingPlace, FindingText, FindingGrounds {
  readonly rule: string;
}

/** A change, and the trees of its two sides. */
export interface ChangeSides {
  readonly change: Change;
  readonly base: TreeView;
  readonly head: TreeView;
  /** Whether the trees have the whole repository; otherwise, they have only the files of the change. */
  readonly hasRepository: boolean;
  /** The name of the repository's owner at the host; undefined if unknown. */
  readonly owner?: string | undefined;
}

/** A version of a package that a change introduces, and its place. */
export interface BroughtVersion {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly line: number | null;
}

/** The result of a source that compares both sides of a change; plain JSON. */
export interface Comparison {
  readonly findings: readonly PlacedFinding[];
  /** Files of the change that it covers but could not fully read, and why; a note has the details. */
  readonly unread: readonly { readonly path: string; readonly reason: CoverageReason }[];
  readonly notes: readonly string[];
  /** Versions that the change introduces, to be looked up in advisories. */
  readonly brought?: readonly BroughtVersion[];
  /** The fields that it adds to the report. */
  readonly report: Partial<Pick<Report, 'dependencies' | 'total_dependencies' | 'contracts'>>;
}

/**
 * A tool that compares files before and after a change, and may read the rest of the repository. It executes nothing, and
 * decides itself what the change has introduced. It rejects if it fails, which degrades the run.
 */
export interface ChangeRuleSource {
  /** The name in the configuration, and the prefix of its rules. */
  readonly name: string;
  /** Whether it can have findings in such a file; only then it runs, and coverage counts the file as reviewed. */
  covers(path: string): boolean;
  /** Whether such a file may matter to it, depending on its content: then it runs as well. */
  mayCover?(path: string): boolean;
  compare(
    sides: ChangeSides,
    reviews: ReviewConfiguration['reviews'],
    signal: AbortSignal,
  ): Promise<Comparison>;
}

/** A source that examines texts, or one that compares the whole change. */
export type AnyRuleSource = RuleSource | ChangeRuleSource;
