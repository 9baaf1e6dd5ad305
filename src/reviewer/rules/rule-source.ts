import type { FindingGrounds, FindingText } from '../finding.ts';

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
  /** What people should know about how it looked at such files: that a part of it is missing on this machine. */
  remark?(signal: AbortSignal): Promise<string | undefined>;
}
