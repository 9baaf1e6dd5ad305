import type { ChangeSource } from '../change/change-source.ts';
import type { SentReport } from '../checks/facts-part.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { RuleRecord } from '../judge/attention.ts';
import type { ModelReviewer } from '../model/model-reviewer.ts';
import type { RunPart } from '../process/part.ts';
import type { People } from '../report/reviewers.ts';
import type { OwnersDialect } from '../repository/owners/owners.ts';
import type { FindAdvisories } from '../rules/dependencies/osv/find-advisories.ts';

export interface ReviewRequest {
  readonly change: ChangeSource;
  readonly configuration: ReviewConfiguration;
  /** Runs the parts of the work that read the change; see `partsOf`. */
  readonly run: RunPart;
  /** The name of the repository's owner at the host, whose own packages are trusted. Undefined if unknown. */
  readonly owner?: string | undefined;
  /** Texts with the organization's own rules, and the PATH in which programs are searched for. */
  readonly own: {
    readonly astGrepRules: readonly string[];
    readonly searchPath: string | undefined;
  };
  readonly model?: ModelReviewer | undefined;
  /** The results of analyzers for this version. */
  readonly results?:
    | {
        /** The files with their logs, as `keepLogs` writes them. */
        readonly logs: readonly string[];
        /** Analyzers that have not sent all results yet: missing findings do not count as gone. */
        readonly waitingFor?: readonly string[];
      }
    | undefined;
  /** The outcomes and settings of rules in the organization; by default, none are known. */
  readonly records?: readonly RuleRecord[];
  /** Aborts the review, which then rejects. */
  readonly signal: AbortSignal;
  /** Aborts when the time is up: the review then skips the rest, lists that in the coverage, and completes. */
  readonly deadline?: AbortSignal | undefined;
  /** Stores the result of each stage; by default, every stage is done. */
  readonly stage?: StageKeeper;
  /** Paths that need not be reviewed again. */
  readonly leaveOut?: readonly string[];
  /** Paths that a model need not review again. */
  readonly seenByModel?: readonly string[];
  /** The first known paths of files in this pull request, if they differ from those in the base. */
  readonly lineages?: Readonly<Record<string, string>>;
  /** The change since the last review by a model, which is shown only hunks that this touches. By default, all. */
  readonly since?: ChangeSource | null;
  readonly notes?: readonly string[];
  /** Names possible reviewers; by default, by their names in Git. */
  readonly people?: People;
  /** The host's dialect of CODEOWNERS; undefined if the host is unknown. */
  readonly ownersDialect?: OwnersDialect | undefined;
  /** The input of checks besides the change; undefined to evaluate no checks. */
  readonly checks?: { readonly coverage: readonly SentReport[] } | undefined;
  /** Finds advisories about packages; absent if there is no such data. */
  readonly advisories?: FindAdvisories | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The stages whose results are worth storing: they can take minutes, and a model costs money. */
export type StageName = 'rules' | 'sight' | 'comparison' | 'analyzers' | 'model';

/** Returns the result of a stage from an earlier attempt, or does the work and stores its result, which is plain JSON. */
export type StageKeeper = <Result>(name: StageName, work: () => Promise<Result>) => Promise<Result>;
