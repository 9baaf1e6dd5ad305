import type { CheckAnswer } from '../checks/check-answer.ts';
import type { CheckQuestion, ShownForQuestions } from '../checks/check-question.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding, FindingText, RelatedPlace } from '../finding.ts';
import type { FoundContext } from './context/find-context.ts';
import type { Guideline } from './guidelines/guideline.ts';
import type { FilePart } from './showing/show-file.ts';
import type { LookUp } from './tools/repository-tools.ts';

/** A finding in a model's answer: it quotes code, because models are unreliable about line numbers. */
export interface ModelFinding extends FindingText {
  readonly path: string;
  readonly quote: string;
  readonly learningIds: readonly string[];
  /** Related places, in any file of the repository. */
  readonly related?: readonly RelatedPlace[];
}

export interface ModelUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly calls: number;
  /** The number of calls of repository tools; absent in results that an earlier version stored. */
  readonly toolCalls?: number;
}

/** Where a pack starts. A file that the previous pack started keeps its division into parts of `dividedBy` tokens. */
export interface PackPlace {
  readonly file: number;
  readonly part: number;
  readonly dividedBy?: number;
}

/** The part of a change that one call to a model shows. */
export interface ShownPack {
  readonly parts: readonly FilePart[];
  /** The files that start in this pack, the number of their parts, and whether those show all changed lines. */
  readonly divided: readonly { readonly path: string; readonly parts: number; readonly isWhole: boolean }[];
  /** Where the next pack starts, with `file` relative to the first of these files; null if nothing is left. */
  readonly next: PackPlace | null;
}

export interface AnswerToAccept {
  /** The model's answer, which may be incomplete. */
  readonly text: string;
  readonly isWhole: boolean;
  /** The paths of the files that it was shown. */
  readonly paths: readonly string[];
  /** The ids of the Learnings that were offered, by their names in the prompt. */
  readonly learnings: readonly (readonly [name: string, id: string])[];
  readonly repositoryUrl?: string | undefined;
}

export interface AcceptedAnswer {
  readonly findings: readonly ModelFinding[];
  /** Files with a finding whose quote was not found. */
  readonly misquoted: readonly string[];
  /** The number of findings about files that the model was not shown. */
  readonly strays: number;
  /** Whether a part of the answer could not be parsed. */
  readonly isFaulty: boolean;
  readonly hasAnswered: boolean;
}

/** A model's access to the repository besides the change; runs in a review process, and its results are redacted. */
export interface ModelRepository {
  /** Finds context for some hunks, of at most `maxTokens`. */
  context(shown: readonly Pick<FilePart, 'path' | 'hunks'>[], maxTokens: number): Promise<FoundContext>;
  /** Runs a tool that the model calls. */
  lookUp: LookUp;
}

/** The input of a review by a model. */
export interface ModelRequest {
  /** The files in scope that can be shown, by their paths. */
  readonly files: readonly string[];
  readonly configuration: ReviewConfiguration;
  /** The findings of rules, so that the model does not repeat them. */
  readonly ruleFindings: readonly Finding[];
  /** The maintainers' guidelines for these files, the nearest first. */
  readonly guidelines?: readonly Guideline[];
  /** The repository behind the change, if there is one. */
  readonly repository?: ModelRepository | undefined;
  /** Aborts, together with the signal, when the time of the review is up: findings so far must then be kept. */
  readonly deadline?: AbortSignal | undefined;
  /** Shows the change from a part of a file on, up to `maxTokens`, without credentials. */
  show(from: PackPlace, maxTokens: number): Promise<ShownPack>;
  /** Parses, checks and cleans an answer about files that were shown. */
  accept(answer: AnswerToAccept): Promise<AcceptedAnswer>;
}

/** A file that a model did not fully review; files that are not listed were fully reviewed. */
export interface ModelShortfall {
  readonly path: string;
  readonly state: 'partial' | 'skipped';
  readonly reason: 'model_failed' | 'budget' | 'time' | 'memory' | 'crashed';
}

export interface ModelAnswer {
  readonly findings: readonly ModelFinding[];
  readonly shortfalls: readonly ModelShortfall[];
  /** Notes about failures that did not prevent the whole review. */
  readonly failures?: readonly string[];
  /** The paths of the guidelines that it was shown. */
  readonly guidelines?: readonly string[];
  /** Other notes for the reader: guidelines and context that it was not shown. */
  readonly notes?: readonly string[];
  readonly usage: ModelUsage;
}

export interface ModelConfirmation {
  /** The identities of the findings that are kept. */
  readonly kept: ReadonlySet<string>;
  /** Of the whole review, including the second pass. */
  readonly usage: ModelUsage;
}

/**
 * A model as a reviewer. It redacts what it sends, enforces its own budgets, and returns what it has when they are used up. It
 * rejects only if nothing can be kept, or when the signal aborts.
 */
export interface ModelReviewer {
  readonly name: string;
  review(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** A second pass over its own findings, which can only remove some. If it fails, all are kept. */
  confirm?(findings: readonly Finding[], signal: AbortSignal): Promise<ModelConfirmation>;
  /** Answers the question of a check, with the rest of the budget; absent if questions are not asked in the review. */
  judge?(question: CheckQuestion, shown: ShownForQuestions): Promise<CheckAnswer>;
  /** The usage so far, including questions; null before the review. */
  used?(): ModelUsage | null;
}
