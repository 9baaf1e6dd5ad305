import type { TokenCounts } from './estimate-tokens.ts';
import type { ModelUsage } from './model-reviewer.ts';
import type { ModelSettings, ReviewLimits } from './model-settings.ts';

/** Why a review may end early: tokens or money are used up (`budget`), or the time. */
export type BudgetEnd = 'budget' | 'time';

/** The tokens, the time and the money that one review may use and has used. */
export class Budget {
  /** Aborts when the time is up, or with the caller's signal. */
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

  /** How many output tokens a call with this input may request, up to `wanted`; if below `least`, what has run out. */
  outputFor(inputTokens: number, wanted: number, least: number): number | BudgetEnd {
    if (this.#time.aborted) return 'time';
    const tokens = this.#maxTokens - this.#inputTokens - this.#outputTokens - inputTokens;
    const usd = this.#maxUsd - this.#cost(this.#inputTokens + inputTokens, this.#outputTokens);
    const affordable = this.#model.priceOut === 0 ? wanted : (usd * 1e6) / this.#model.priceOut;
    const left = Math.floor(Math.min(wanted, tokens, usd < 0 ? 0 : affordable));
    return left < least ? 'budget' : left;
  }

  /** How many input tokens a call may have that needs this many output tokens. */
  inputFor(outputTokens: number): number {
    const { priceIn, priceOut } = this.#model;
    const tokens = this.#maxTokens - this.#inputTokens - this.#outputTokens - outputTokens;
    const usd =
      this.#maxUsd - this.#cost(this.#inputTokens, this.#outputTokens) - (outputTokens * priceOut) / 1e6;
    return Math.max(0, Math.floor(Math.min(tokens, priceIn === 0 ? tokens : (usd * 1e6) / priceIn)));
  }

  /** How many tokens a call may have in total, if its output is as long as its input. */
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

  /** `toolCalls` is the total of the review so far. */
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
