import type { AppError } from '../../lib/app-error.ts';
import { BodyPool, type BodyShare, type CallerLimits, largeBodyBytes } from './body-pool.ts';

/** How a caller is known: by the key of a tenant, a session or an event source, as the operator, or by address only. */
export type CallerKind = 'tenant' | 'operator' | 'address';

const mebibyte = 1024 * 1024;

const limits: Readonly<Record<CallerKind, CallerLimits>> = {
  tenant: { bytes: 64 * mebibyte, atOnce: 4, pauseMs: 1_000 },
  operator: { bytes: 128 * mebibyte, atOnce: Number.POSITIVE_INFINITY, pauseMs: 0 },
  // Git hosts, which send a lot at times, and whoever says to be one.
  address: { bytes: 32 * mebibyte, atOnce: 8, pauseMs: 0 },
};

/**
 * The memory for all bodies in flight, 256 MiB: from the announcement of a body to the end of its request. Callers known only
 * by address have a part of their own, where the one with most gives way; so they keep nobody waiting, whatever they send.
 */
export class BodyMemory {
  readonly #known = new BodyPool(192 * mebibyte, { isContested: false, freeBytes: largeBodyBytes });
  readonly #unknown = new BodyPool(64 * mebibyte, { isContested: true, freeBytes: 0 });

  /** `giveWay` is called if the body has to end before it has arrived. */
  shareOf(kind: CallerKind, name: string, giveWay: (error: AppError) => void): BodyShare {
    const pool = kind === 'address' ? this.#unknown : this.#known;
    return pool.shareOf(`${kind} ${name}`, limits[kind], giveWay);
  }
}
