import type { JSONSchema7 } from 'ai';
import type { TokenCounts } from './estimate-tokens.ts';

/** A tool that a model may call while it answers. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
  /** What the model gets to read; never rejects. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface Question {
  /** What is asked; written by us alone. */
  readonly instructions: string;
  /** What it is asked about. */
  readonly data: string;
  readonly schema: JSONSchema7;
  readonly maxOutputTokens: number;
  readonly tools?: readonly ModelTool[];
  /** After so many rounds of tool calls the model must answer, and before it would use more than so many tokens in all. */
  readonly maxRounds?: number;
  readonly maxTokens?: number;
  /** How many of them the answers of tools can take in all. */
  readonly maxToolTokens?: number;
}

export interface Reply {
  /** What the model said, as far as it came. */
  readonly text: string;
  /** Whether the model finished by itself. */
  readonly isWhole: boolean;
  /** Why nothing more came, for people; without credentials. */
  readonly fault: string | undefined;
  /** Whether another question would fail for the same reason: a wrong key, an unknown model. */
  readonly isHopeless: boolean;
  readonly tokens: TokenCounts;
  readonly calls: number;
}

export interface ModelClient {
  /** Rejects never: what goes wrong is in the reply. */
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}
