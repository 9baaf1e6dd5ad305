import type { JSONSchema7 } from 'ai';
import type { TokenCounts } from './estimate-tokens.ts';

/** A tool that a model may call while it answers. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
  /** Returns the result for the model; never rejects. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface Question {
  /** The instructions; they contain no untrusted text. */
  readonly instructions: string;
  /** The data that the question is about. */
  readonly data: string;
  readonly schema: JSONSchema7;
  readonly maxOutputTokens: number;
  readonly tools?: readonly ModelTool[];
  /** Limits the rounds of tool calls and the total tokens, after which the model must answer. */
  readonly maxRounds?: number;
  readonly maxTokens?: number;
  /** How many of the tokens all results of tools together may use. */
  readonly maxToolTokens?: number;
}

export interface Reply {
  /** The model's answer, which may be incomplete. */
  readonly text: string;
  /** Whether the model finished by itself. */
  readonly isWhole: boolean;
  /** Why the answer is incomplete, as text without credentials; undefined if nothing failed. */
  readonly fault: string | undefined;
  /** Whether another question would fail for the same reason: a wrong key, an unknown model. */
  readonly isHopeless: boolean;
  readonly tokens: TokenCounts;
  readonly calls: number;
}

export interface ModelClient {
  /** Never rejects: failures are in the reply. */
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}
