import type { CheckAnswer } from '../checks/check-answer.ts';
import type { CheckQuestion, ShownForQuestions } from '../checks/check-question.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding, FindingText, RelatedPlace } from '../finding.ts';
import type { FoundContext } from './context/find-context.ts';
import type { Guideline } from './guidelines/guideline.ts';
import type { FilePart } from './showing/show-file.ts';
import type { LookUp } from './tools/repository-tools.ts';

/** A finding as a model answers it: it quotes code, because models lie about line numbers. */
export interface ModelFinding extends FindingText {
  readonly path: string;
  readonly quote: string;
  readonly learningIds: readonly string[];
  /** Other places that belong to it, in any file of the repository. */
  readonly related?: readonly RelatedPlace[];
}

export interface ModelUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly calls: number;
  /** How often it looked something up in the repository; absent in results that an earlier version kept. */
  readonly toolCalls?: number;
}

/** Where a pack begins. A file that the one before has begun stays divided as it was. */
export interface PackPlace {
  readonly file: number;
  readonly part: number;
  readonly dividedBy?: number;
}

/** What one call to a model shows. */
export interface ShownPack {
  readonly parts: readonly FilePart[];
  /** The files whose turn came, into how many parts they are divided, and whether these show all of it. */
  readonly divided: readonly { readonly path: string; readonly parts: number; readonly isWhole: boolean }[];
  /** Where the next one begins, counted from the first of these files; null if nothing is left. */
  readonly next: PackPlace | null;
}

export interface AnswerToAccept {
  /** What the model said, as far as it came. */
  readonly text: string;
  readonly isWhole: boolean;
  /** The files that it was shown. */
  readonly paths: readonly string[];
  /** The Learnings that were offered, by the names they had in the prompt. */
  readonly learnings: readonly (readonly [name: string, id: string])[];
  readonly repositoryUrl?: string | undefined;
}

export interface AcceptedAnswer {
  readonly findings: readonly ModelFinding[];
  /** Files about which the model quoted what is not there. */
  readonly misquoted: readonly string[];
  /** How many findings were about files that it was not shown. */
  readonly strays: number;
  /** Whether something of the answer could not be read. */
  readonly isFaulty: boolean;
  readonly hasAnswered: boolean;
}

/** What a model can see of the repository beside the change; done in a review process, and free of credentials. */
export interface ModelRepository {
  /** The code that belongs to some hunks, as much as fits so many tokens. */
  context(shown: readonly Pick<FilePart, 'path' | 'hunks'>[], maxTokens: number): Promise<FoundContext>;
  /** What a tool answers that the model calls. */
  lookUp: LookUp;
}

/** What a model is asked to look at. */
export interface ModelRequest {
  /** The files in scope that can be shown, by their paths. */
  readonly files: readonly string[];
  readonly configuration: ReviewConfiguration;
  /** What rules found already, so that it is not said twice. */
  readonly ruleFindings: readonly Finding[];
  /** What maintainers wrote for these files, the nearest first. */
  readonly guidelines?: readonly Guideline[];
  /** The repository behind the change, if there is one. */
  readonly repository?: ModelRepository | undefined;
  /** Aborts together with the signal when the time for the review ends: then what was found is to be kept. */
  readonly deadline?: AbortSignal | undefined;
  /** Shows as much of the change as fits so many tokens, without credentials, from a file and one of its parts on. */
  show(from: PackPlace, maxTokens: number): Promise<ShownPack>;
  /** Reads what was answered about files that were shown, and keeps what can be understood and may be said. */
  accept(answer: AnswerToAccept): Promise<AcceptedAnswer>;
}

/** What a model saw of one file; a file that is not named was seen whole. */
export interface ModelShortfall {
  readonly path: string;
  readonly state: 'partial' | 'skipped';
  readonly reason: 'model_failed' | 'budget' | 'time' | 'memory' | 'crashed';
}

export interface ModelAnswer {
  readonly findings: readonly ModelFinding[];
  readonly shortfalls: readonly ModelShortfall[];
  /** What went wrong although something could be kept, for people. */
  readonly failures?: readonly string[];
  /** The guidelines that it was shown, by their paths. */
  readonly guidelines?: readonly string[];
  /** What else people should know: what it was not shown of the guidelines. */
  readonly notes?: readonly string[];
  readonly usage: ModelUsage;
}

export interface ModelConfirmation {
  /** The identities of the findings that stand. */
  readonly standing: ReadonlySet<string>;
  /** Of the review as a whole, the second look included. */
  readonly usage: ModelUsage;
}

/**
 * A model behind the engine. It redacts what it sends, keeps its budgets itself, and answers with what it has when
 * they end; it rejects only when nothing can be kept, or when the signal aborts.
 */
export interface ModelReviewer {
  readonly name: string;
  review(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** A second look at its own findings, which may only remove. Where it fails, all stand. */
  confirm?(findings: readonly Finding[], signal: AbortSignal): Promise<ModelConfirmation>;
  /** Answers a question of a check, out of what is left of the budget; absent where somebody else asks. */
  judge?(question: CheckQuestion, shown: ShownForQuestions): Promise<CheckAnswer>;
  /** What it has used up to now, for questions as well; null before the review. */
  used?(): ModelUsage | null;
}
