import type { TokenCounts } from './estimate-tokens.ts';
import type { ModelUsage } from './model-reviewer.ts';
import type { ModelSettings, ReviewLimits } from './model-settings.ts';

/** What may end a review early. */
export type BudgetEnd = 'budget' | 'time';

/** What one review has used up of its tokens, its time and its money. */
export class Budget {
  /** Aborts when the time is up, or with the caller. */
  readonly signal: AbortSignal;
  readonly #model: Pick<ModelSettings, 'name' | 'priceIn' | 'priceOut'>;
  readonly #maxTokens: number;
  readonly #maxUsd: number;
  readonly #time: AbortSignal;
  #inputTokens = 0;
  #outputTokens = 0;
  #calls = 0;
  #toolCalls = 0;

  constructor(
    model: Pick<ModelSettings, 'name' | 'priceIn' | 'priceOut'>,
    limits: ReviewLimits & { readonly maxUsd?: number | undefined },
    caller: AbortSignal,
    deadline?: AbortSignal,
  ) {
    this.#model = model;
    this.#maxTokens = limits.maxTokens;
    this.#maxUsd = limits.maxUsd ?? Number.POSITIVE_INFINITY;
    const timeout = AbortSignal.timeout(limits.maxSeconds * 1000);
    this.#time = deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]);
    this.signal = AbortSignal.any([caller, this.#time]);
  }

  /** How many tokens of output a call with so much input may still ask for; what has run out otherwise. */
  outputFor(inputTokens: number, wanted: number, least: number): number | BudgetEnd {
    if (this.#time.aborted) return 'time';
    const tokens = this.#maxTokens - this.#inputTokens - this.#outputTokens - inputTokens;
    const usd = this.#maxUsd - this.#cost(this.#inputTokens + inputTokens, this.#outputTokens);
    const affordable = this.#model.priceOut === 0 ? wanted : (usd * 1e6) / this.#model.priceOut;
    const left = Math.floor(Math.min(wanted, tokens, usd < 0 ? 0 : affordable));
    return left < least ? 'budget' : left;
  }

  /** How many tokens of input a call may still have that needs so many for its answer. */
  inputFor(outputTokens: number): number {
    const { priceIn, priceOut } = this.#model;
    const tokens = this.#maxTokens - this.#inputTokens - this.#outputTokens - outputTokens;
    const usd =
      this.#maxUsd - this.#cost(this.#inputTokens, this.#outputTokens) - (outputTokens * priceOut) / 1e6;
    return Math.max(0, Math.floor(Math.min(tokens, priceIn === 0 ? tokens : (usd * 1e6) / priceIn)));
  }

  /** How many tokens a call can still have in all, where its answer is as long as what it shows. */
  get tokensLeft(): number {
    const { priceIn, priceOut } = this.#model;
    const usd = this.#maxUsd - this.#cost(this.#inputTokens, this.#outputTokens);
    const affordable =
      priceIn + priceOut === 0 ? Number.POSITIVE_INFINITY : (2e6 * usd) / (priceIn + priceOut);
    return Math.min(this.#maxTokens - this.#inputTokens - this.#outputTokens, affordable);
  }

  get isOutOfTime(): boolean {
    return this.#time.aborted;
  }

  /** `toolCalls`: of the review so far. */
  spend({ inputTokens, outputTokens }: TokenCounts, calls: number, toolCalls = this.#toolCalls): void {
    this.#toolCalls = toolCalls;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#calls += calls;
  }

  #cost(input: number, output: number): number {
    return (input * this.#model.priceIn + output * this.#model.priceOut) / 1e6;
  }

  get usage(): ModelUsage {
    return {
      model: this.#model.name,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      costUsd: this.#cost(this.#inputTokens, this.#outputTokens),
      calls: this.#calls,
      toolCalls: this.#toolCalls,
    };
  }
}
