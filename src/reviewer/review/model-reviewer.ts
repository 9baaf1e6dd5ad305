import type { ChangedFile } from '../change/change.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding, FindingText } from '../finding.ts';

/** A finding as a model answers it: it quotes code, because models lie about line numbers. */
export interface ModelFinding extends FindingText {
  readonly path: string;
  readonly quote: string;
  readonly learningIds: readonly string[];
}

export interface ModelUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly calls: number;
}

/** What a model is asked to look at. */
export interface ModelRequest {
  /** The files in scope that can be shown, each with its hunks. */
  readonly files: readonly ChangedFile[];
  readonly configuration: ReviewConfiguration;
  /** What rules found already, so that it is not said twice. */
  readonly ruleFindings: readonly Finding[];
  /** Aborts together with the signal when the time for the review ends: then what was found is to be kept. */
  readonly deadline?: AbortSignal | undefined;
}

/** What a model saw of one file; a file that is not named was seen whole. */
export interface ModelShortfall {
  readonly path: string;
  readonly state: 'partial' | 'skipped';
  readonly reason: 'model_failed' | 'budget' | 'time';
}

export interface ModelAnswer {
  readonly findings: readonly ModelFinding[];
  readonly shortfalls: readonly ModelShortfall[];
  /** What went wrong although something could be kept, for people. */
  readonly failures?: readonly string[];
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
}
