/** Bodies up to this size cost too little to be counted. */
export const largeBodyBytes = 64 * 1024;

interface Places {
  taken: number;
  readonly waiting: (() => void)[];
}

/** The place of one request among the large bodies of its caller. */
export interface Turn {
  /** Resolves when there is a place; at once for a request that has one. */
  take(): Promise<void>;
  /** Gives the place back, if one was taken. */
  end(): void;
}

/**
 * Lets every caller have a few large bodies in hand at a time. Those that are refused are not counted against any limit, and
 * still have to be kept and read; further ones wait unread, and so cost their sender's memory instead of the server's.
 */
export class LargeBodies {
  readonly #callers = new Map<string, Places>();
  readonly #maxAtOnce: number;
  readonly #pauseMs: number;

  /** After its request, a place stays taken for the pause, so that the bodies of one caller never take all of the server's time. */
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
        if (isTaken) setTimeout(() => this.#giveBack(caller), this.#pauseMs).unref();
        isTaken = false;
      },
    };
  }

  async #take(caller: string): Promise<void> {
    const places = this.#callers.get(caller) ?? { taken: 0, waiting: [] };
    this.#callers.set(caller, places);
    if (places.taken < this.#maxAtOnce) places.taken += 1;
    else await new Promise<void>((resolve) => places.waiting.push(resolve));
  }

  #giveBack(caller: string): void {
    const places = this.#callers.get(caller)!;
    const next = places.waiting.shift();
    if (next !== undefined) next();
    else places.taken -= 1;
    if (places.taken === 0) this.#callers.delete(caller);
  }
}

/** Who is known by a key or a session, and who is only known by an address: Git hosts, which have much to tell at times. */
export interface LargeBodiesOf {
  readonly known: LargeBodies;
  readonly unknown: LargeBodies;
}

export function createLargeBodies(): LargeBodiesOf {
  return { known: new LargeBodies(4, 1_000), unknown: new LargeBodies(8, 0) };
}
