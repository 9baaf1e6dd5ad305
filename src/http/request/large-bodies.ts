/** Bodies up to this size are too cheap to be limited. */
export const largeBodyBytes = 64 * 1024;

interface Slots {
  taken: number;
  readonly waiting: (() => void)[];
}

/** The slot of one request among the large bodies of its caller. */
export interface Turn {
  /** Resolves when a slot is free; immediately for a request that has one. */
  take(): Promise<void>;
  /** Releases the slot, if one was taken. */
  end(): void;
}

/**
 * Limits how many large bodies each caller may have in progress. Rejected ones do not count toward any rate limit, but still
 * have to be read and kept; further ones wait unread, and so use the sender's memory instead of the server's.
 */
export class LargeBodies {
  readonly #callers = new Map<string, Slots>();
  readonly #maxAtOnce: number;
  readonly #pauseMs: number;

  /** After a request its slot stays taken for the pause, so that one caller's bodies never use up all of the server's time. */
  constructor(maxAtOnce: number, pauseMs: number) {
    this.#maxAtOnce = maxAtOnce;
    this.#pauseMs = pauseMs;
  }

  turnOf(caller: string): Turn {
    let isTaken = false;
    return {
      take: async () => {
        if (isTaken) return;
        isTaken = true;
        await this.#take(caller);
      },
      end: () => {
        if (isTaken) setTimeout(() => this.#release(caller), this.#pauseMs).unref();
        isTaken = false;
      },
    };
  }

  async #take(caller: string): Promise<void> {
    const slots = this.#callers.get(caller) ?? { taken: 0, waiting: [] };
    this.#callers.set(caller, slots);
    if (slots.taken < this.#maxAtOnce) slots.taken += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
  }

  #release(caller: string): void {
    const slots = this.#callers.get(caller)!;
    const next = slots.waiting.shift();
    if (next !== undefined) next();
    else slots.taken -= 1;
    if (slots.taken === 0) this.#callers.delete(caller);
  }
}

/** One for callers with a key or a session, one for those known only by address: Git hosts, which send a lot at times. */
export interface LargeBodiesOf {
  readonly known: LargeBodies;
  readonly unknown: LargeBodies;
}

export function createLargeBodies(): LargeBodiesOf {
  return { known: new LargeBodies(4, 1_000), unknown: new LargeBodies(8, 0) };
}
