import { AppError } from '../../lib/app-error.ts';

/** A larger body occupies one of its caller's slots. */
export const largeBodyBytes = 64 * 1024;

/** The limits of one caller in a pool. */
export interface CallerLimits {
  /** The maximum for all bodies together; a single body may be larger. */
  readonly bytes: number;
  /** The maximum number of large bodies. */
  readonly slots: number;
  /**
   * How long the slot of a large body stays occupied after its request, so that one caller cannot use up all of the server's
   * time.
   */
  readonly pauseMs: number;
}

interface Caller {
  readonly name: string;
  readonly limits: CallerLimits;
  bodies: number;
  bytes: number;
  usedSlots: number;
}

/** The memory that one body has in a pool. */
export interface BodyShare {
  /**
   * Resolves when the body may use this many bytes in total, at once if it has them already. Throws if they are not available
   * in time.
   */
  hold(bytes: number, patienceMs: number): Promise<void>;
  /** Called when the body has arrived, so that it is no longer aborted in favor of others. */
  settle(): void;
  /** Returns all memory to the pool. */
  end(): void;
}

interface Body {
  readonly caller: Caller;
  /** Aborts the request; undefined once the body has arrived. */
  giveWay: (() => void) | undefined;
  bytes: number;
  wanted: number;
  hasSlot: boolean;
  isOver: boolean;
  /** Resolves a pending `hold`. */
  admit: () => void;
  refuse: (error: AppError) => void;
}

const retryAfterSeconds = 10;

function noRoom(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Too many large bodies are being received; send this one later',
    retryAfterSeconds,
  );
}

/** The total memory of the caller if the body got what it waits for. */
function sumWith({ caller, wanted, bytes }: Body): number {
  return caller.bytes - bytes + wanted;
}

function isAllowed(body: Body): boolean {
  const { caller, bytes, wanted, hasSlot } = body;
  const isWithinShare = caller.bytes === bytes || sumWith(body) <= caller.limits.bytes;
  return isWithinShare && (hasSlot || wanted <= largeBodyBytes || caller.usedSlots < caller.limits.slots);
}

export interface PoolOptions {
  /** Whether bodies of larger users are aborted, so that smaller ones need not wait for them. */
  readonly isContested: boolean;
  /** Bodies up to this size are too small to be counted. */
  readonly freeBytes: number;
}

/**
 * A pool of memory for the bodies of some callers. A body without memory is not read, so it stays with its sender. Of several
 * waiting bodies, the one whose caller would have the least memory is admitted first.
 */
export class BodyPool {
  readonly #callers = new Map<string, Caller>();
  readonly #bodies = new Set<Body>();
  readonly #waiting = new Set<Body>();
  readonly #options: PoolOptions;
  #free: number;

  constructor(bytes: number, options: PoolOptions) {
    this.#free = bytes;
    this.#options = options;
  }

  /** `giveWay` is called if the body must be aborted before it has arrived. */
  shareOf(name: string, limits: CallerLimits, giveWay: (error: AppError) => void): BodyShare {
    const caller = this.#callers.get(name) ?? { name, limits, bodies: 0, bytes: 0, usedSlots: 0 };
    this.#callers.set(name, caller);
    caller.bodies += 1;
    const body: Body = {
      caller,
      giveWay: () => giveWay(noRoom()),
      bytes: 0,
      wanted: 0,
      hasSlot: false,
      isOver: false,
      admit: () => {},
      refuse: () => {},
    };
    this.#bodies.add(body);
    return {
      hold: (bytes, patienceMs) => this.#hold(body, bytes, patienceMs),
      settle: () => {
        body.giveWay = undefined;
      },
      end: () => this.#end(body),
    };
  }

  async #hold(body: Body, bytes: number, patienceMs: number): Promise<void> {
    if (body.isOver) throw noRoom();
    body.wanted = bytes <= this.#options.freeBytes ? 0 : bytes;
    if (body.wanted <= body.bytes) {
      this.#resize(body, body.wanted);
      this.#admitNext();
      return;
    }
    this.#waiting.add(body);
    this.#admitNext();
    if (!this.#waiting.has(body)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(body);
      reject(noRoom());
    }, patienceMs);
    body.admit = resolve;
    body.refuse = reject;
    await promise.finally(() => clearTimeout(timer));
  }

  #end(body: Body): void {
    if (!this.#bodies.delete(body)) return;
    this.#waiting.delete(body);
    this.#resize(body, 0);
    const { caller, hasSlot } = body;
    const leave = () => {
      if (hasSlot) caller.usedSlots -= 1;
      caller.bodies -= 1;
      if (caller.bodies === 0) this.#callers.delete(caller.name);
      this.#admitNext();
    };
    if (hasSlot && caller.limits.pauseMs > 0) setTimeout(leave, caller.limits.pauseMs).unref();
    else leave();
  }

  #resize(body: Body, bytes: number): void {
    const growth = bytes - body.bytes;
    this.#free -= growth;
    body.caller.bytes += growth;
    body.bytes = bytes;
  }

  #admitNext(): void {
    for (;;) {
      let next: Body | undefined;
      for (const body of this.#waiting)
        if (isAllowed(body) && (next === undefined || sumWith(body) < sumWith(next))) next = body;
      if (next === undefined || !this.#makeRoom(next)) return;
      this.#waiting.delete(next);
      if (next.wanted > largeBodyBytes && !next.hasSlot) {
        next.hasSlot = true;
        next.caller.usedSlots += 1;
      }
      this.#resize(next, next.wanted);
      next.admit();
    }
  }

  /** Whether there is memory for a waiting body; in a contested pool, bodies of larger users are aborted for it. */
  #makeRoom(body: Body): boolean {
    const missing = body.wanted - body.bytes;
    if (missing <= this.#free) return true;
    if (!this.#options.isContested) return false;
    const ending = this.#thoseToEnd(missing - this.#free, sumWith(body));
    for (const ended of ending) {
      ended.giveWay?.();
      ended.giveWay = undefined;
      ended.isOver = true;
      this.#waiting.delete(ended);
      ended.refuse(noRoom());
      this.#resize(ended, 0);
    }
    return missing <= this.#free;
  }

  /**
   * Bodies of callers who use more than `limit`, starting with the largest user; none if all of them together would not be
   * enough.
   */
  #thoseToEnd(needed: number, limit: number): Set<Body> {
    const arriving = [...this.#bodies].filter(({ giveWay, bytes }) => giveWay !== undefined && bytes > 0);
    const left = new Map(arriving.map(({ caller }) => [caller, caller.bytes]));
    const ending = new Set<Body>();
    let found = 0;
    while (found < needed) {
      let next: Body | undefined;
      for (const body of arriving) {
        const has = left.get(body.caller)!;
        if (has <= limit || ending.has(body)) continue;
        const most = next === undefined ? 0 : left.get(next.caller)!;
        if (has > most || (has === most && body.bytes > next!.bytes)) next = body;
      }
      if (next === undefined) return new Set();
      ending.add(next);
      left.set(next.caller, left.get(next.caller)! - next.bytes);
      found += next.bytes;
    }
    return ending;
  }
}
