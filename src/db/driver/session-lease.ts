import type { Socket } from 'node:net';
import type postgres from 'postgres';
import type { ClientOptions } from './client-options.ts';
import { openClient } from './open-client.ts';
import { interceptQueries, type QueryInternals } from './query-internals.ts';
import type { ConnectionTarget, Tx } from './sql.ts';
import { DatabaseUnavailable, isConnectionFailure, unavailableReason } from './unavailable.ts';

/** A transaction's view of its session, which ends with the transaction. */
export interface Lease {
  readonly tx: Tx;
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
  /** The error of the first statement that failed, even if the transaction's code swallowed it. */
  readonly firstError: unknown;
  end(): void;
}

/**
 * One connection, used by one transaction at a time.
 *
 * postgres.js reconnects in the middle of a running transaction: the remaining statements would then run, and take effect,
 * outside any transaction. A session never reconnects. Once its connection is lost, every statement is rejected.
 */
export interface Session {
  readonly openedAtMs: number;
  readonly isLost: boolean;
  /** Leases the session to one transaction; a long one has no limit on silence. */
  lease(isLong?: boolean): Lease;
  /** Lets the process exit while the session is open. */
  unref(): void;
  close(): Promise<void>;
}

export interface SessionOptions
  extends Pick<
    ClientOptions,
    'applicationName' | 'timeouts' | 'maxConnectMs' | 'probing' | 'onsocket' | 'isReplica'
  > {
  /** Timeout for a silent server during a statement; not used for long transactions. */
  readonly maxSilenceMs?: number | undefined;
}

/** Opens a session, or rejects if the database cannot be reached. */
export async function openSession(target: ConnectionTarget, options: SessionOptions): Promise<Session> {
  let isLost = false;
  let isLong = false;
  let unanswered = 0;
  let socket: Socket | undefined;
  const opening = Promise.withResolvers<never>();
  opening.promise.catch(() => {});
  let notifyLoss = () => opening.reject(connectionLost());
  const onclose = () => {
    isLost = true;
    notifyLoss();
  };
  const onsocket = (opened: Socket) => {
    socket = opened;
    options.onsocket?.(opened);
  };
  const maxSilenceMs = () => (isLong ? undefined : options.maxSilenceMs) ?? Number.POSITIVE_INFINITY;
  const client = openClient(target, {
    ...options,
    max: 1,
    isExclusive: true,
    maxSilenceMs,
    owesMore: () => unanswered > 0,
    onclose,
    onsocket,
  });
  const close = () => {
    isLost = true;
    return client.end({ timeout: 0 });
  };
  try {
    // `reserve` never resolves if it has to open the connection itself, or if the connection is lost before it is called.
    await client`select 1`;
    const reserved = await Promise.race([client.reserve(), opening.promise]);
    return {
      openedAtMs: Date.now(),
      get isLost() {
        return isLost;
      },
      lease(isLongOne = false) {
        isLong = isLongOne;
        const { promise: lost, reject } = Promise.withResolvers<never>();
        lost.catch(() => {});
        notifyLoss = () => reject(connectionLost());
        if (isLost) notifyLoss();
        return lease(
          reserved,
          lost,
          () => isLost,
          (answer) => {
            // postgres.js pauses the socket while a COPY is read slowly, and may not resume it after the last row.
            socket?.resume();
            unanswered += 1;
            const onAnswer = () => {
              unanswered -= 1;
            };
            answer.then(onAnswer, onAnswer);
          },
        );
      },
      unref: () => socket?.unref(),
      close,
    };
  } catch (error) {
    await close();
    if (!isConnectionFailure(error)) throw error;
    const reason = unavailableReason(error) ?? 'unreachable';
    throw new DatabaseUnavailable('cannot connect to the database', { cause: error, reason });
  }
}

function connectionLost(): DatabaseUnavailable {
  return new DatabaseUnavailable('the connection to the database was lost');
}

function lease(
  reserved: postgres.ReservedSql,
  lost: Promise<never>,
  isLost: () => boolean,
  onSend: (answer: Promise<unknown>) => void,
): Lease {
  let isOver = false;
  let firstError: unknown;

  const reasonToReject = (): Error | undefined => {
    if (isOver) return new Error('a statement was sent after its transaction had ended');
    return isLost() ? connectionLost() : undefined;
  };

  const guard = (query: QueryInternals, result: Promise<unknown>): void => {
    const dispatch = query.handler;
    query.handler = Object.assign((self: QueryInternals) => {
      result.catch((error: unknown) => {
        firstError ??= error;
      });
      const reason = reasonToReject();
      if (reason) return self.reject(reason);
      onSend(result);
      dispatch(self);
    }, dispatch);
  };

  let savepoints = 0;
  async function savepoint<T>(...given: [string, (tx: Tx) => T] | [(tx: Tx) => T]): Promise<T> {
    const work = given[given.length - 1] as (tx: Tx) => T;
    const name = `s${++savepoints}`;
    const errorBefore = firstError;
    await tx.unsafe(`savepoint ${name}`);
    try {
      const result = await work(tx);
      await tx.unsafe(`release savepoint ${name}`);
      return result;
    } catch (error) {
      await tx.unsafe(`rollback to savepoint ${name}`);
      firstError = errorBefore;
      throw error;
    }
  }

  const tx = interceptQueries(reserved, guard, { savepoint }) as unknown as Tx;

  return {
    tx,
    lost,
    get firstError() {
      return firstError;
    },
    end: () => {
      isOver = true;
    },
  };
}
