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
  /** Does the parts of the work that read the change; see `partsOf`. */
  readonly run: RunPart;
  /** Whose repository it is, by name at the host: what they publish is not foreign. Undefined where nobody knows. */
  readonly owner?: string | undefined;
  /** Texts with the organization's own rules, and where programs of the machine are looked for. */
  readonly own: {
    readonly astGrepRules: readonly string[];
    readonly searchPath: string | undefined;
  };
  readonly model?: ModelReviewer | undefined;
  /** What analyzers reported about this version. */
  readonly results?:
    | {
        /** Files with their logs, as `keepLogs` writes them. */
        readonly logs: readonly string[];
        /** Analyzers that have not sent everything yet: what is missing is not gone. */
        readonly waitingFor?: readonly string[];
      }
    | undefined;
  /** What is known of rules where the change is reviewed; by default, nothing. */
  readonly records?: readonly RuleRecord[];
  /** Stops the review, which then rejects. */
  readonly signal: AbortSignal;
  /** Ends the time for the review: what was not looked at by then is in the coverage, and the review comes to its end. */
  readonly deadline?: AbortSignal | undefined;
  /** Keeps the result of each stage; by default, every stage is done. */
  readonly stage?: StageKeeper;
  /** Paths that need not be looked at again. */
  readonly leaveOut?: readonly string[];
  /** Paths that a model need not look at again. */
  readonly seenByModel?: readonly string[];
  /** The paths under which files were first known in this pull request, where they are not those in the base. */
  readonly lineages?: Readonly<Record<string, string>>;
  /** What changed since a model last looked: it is shown only hunks that this touches. By default, all. */
  readonly since?: ChangeSource | null;
  readonly notes?: readonly string[];
  /** Knows who could review the change; by default, people go by their names in Git. */
  readonly people?: People;
  /** How the host reads CODEOWNERS; undefined where nobody knows which host it is. */
  readonly ownersDialect?: OwnersDialect | undefined;
  /** What checks before the merge decide by, beside the change; undefined where nobody checks. */
  readonly checks?: { readonly coverage: readonly SentReport[] } | undefined;
  /** Knows which versions of packages are vulnerable; absent where nobody does. */
  readonly advisories?: FindAdvisories | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The stages whose results are worth keeping: they can take minutes, and a model costs money. */
export type StageName = 'rules' | 'sight' | 'comparison' | 'analyzers' | 'model';

/** Gives the result that a stage had in an earlier attempt, or does the work and keeps its result, which is plain JSON. */
export type StageKeeper = <Result>(name: StageName, work: () => Promise<Result>) => Promise<Result>;
