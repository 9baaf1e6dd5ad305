import type { AppError } from '../../lib/app-error.ts';
import { BodyPool, type BodyShare, type CallerLimits, largeBodyBytes } from './body-pool.ts';

/** How a caller is identified: by the key of a tenant, a session or an event source; as the operator; or only by IP address. */
export type CallerKind = 'tenant' | 'operator' | 'address';

const mebibyte = 1024 * 1024;

const limits: Readonly<Record<CallerKind, CallerLimits>> = {
  tenant: { bytes: 64 * mebibyte, slots: 4, pauseMs: 1_000 },
  operator: { bytes: 128 * mebibyte, slots: Number.POSITIVE_INFINITY, pauseMs: 0 },
  // Git hosts, which may send many requests at once, and anyone who claims to be one.
  address: { bytes: 32 * mebibyte, slots: 8, pauseMs: 0 },
};

/**
 * The memory for all request bodies in progress, 256 MiB. A body counts from the arrival of its headers to the end of its
 * request. Callers that are known only by address have a pool of their own, in which the largest user is cut off; so they
 * cannot block other callers.
 */
export class BodyMemory {
  readonly #known = new BodyPool(192 * mebibyte, { isContested: false, freeBytes: largeBodyBytes });
  readonly #unknown = new BodyPool(64 * mebibyte, { isContested: true, freeBytes: 0 });

  /** `giveWay` is called if the body must be aborted before it has arrived. */
  shareOf(kind: CallerKind, name: string, giveWay: (error: AppError) => void): BodyShare {
    const pool = kind === 'address' ? this.#unknown : this.#known;
    return pool.shareOf(`${kind} ${name}`, limits[kind], giveWay);
  }
}
