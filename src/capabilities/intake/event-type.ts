import type { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import type { OrganizationId, ProviderOrgId, ProviderRepositoryId, RepositoryId } from '../../lib/ids.ts';
import { compiledOnUse } from '../../lib/wire/compiled-on-use.ts';

/** An event that passed every check and was not seen before, with its tenant looked up. */
export interface ReceivedEvent<Data> {
  /** Position in the request, by which a failure is reported. */
  readonly index: number;
  readonly id: string;
  readonly source: string;
  /** Decides which event is newer, whatever the order of arrival. */
  readonly time: Date;
  readonly organization: { readonly id: OrganizationId; readonly providerOrgId: ProviderOrgId };
  /** Present for types that declare `hasRepository`. */
  readonly repository: {
    readonly id: RepositoryId;
    readonly providerRepositoryId: ProviderRepositoryId;
  } | null;
  readonly data: Data;
  /** Made by this server itself. */
  readonly isOwn: boolean;
}

/** Why one event of a batch was not stored. */
export interface EventFailure {
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Work over all events of one transaction, whatever their types: begun at first use, and finished right before the
 * commit, after all events have been applied and followed.
 */
export interface TransactionPart<State> {
  begin(): State;
  finish(tx: Tx, state: State, context: { readonly now: Date }): Promise<void>;
}

/**
 * Takes the locks that a capability needs for the events of a transaction, grouped by type. Called once, before any
 * event is applied, so that every transaction takes its locks in the same order.
 */
export type EventLock = (
  tx: Tx,
  events: ReadonlyMap<string, readonly ReceivedEvent<unknown>[]>,
) => Promise<void>;

/** What `apply` gets besides the events. */
export interface ApplyContext {
  readonly now: Date;
  /** The state of the part in this transaction. */
  part<State>(part: TransactionPart<State>): State;
}

/**
 * One kind of event, owned by a capability. `apply` gets many at once so that it can write them in few statements.
 * What it writes is committed together with the mark that the events were seen, or not at all.
 */
export interface EventType<Data = unknown, Wire = Data> {
  readonly type: string;
  /** The shape of `data` beside `provider`, `org_id` and `instance`; strict. */
  readonly data: z.ZodType<Wire>;
  /** A field of the data that may hold any JSON, even unstorable text; `prepare` extracts what can be stored. */
  readonly looseField?: string;
  /** Turns the data into what `apply` gets, before any transaction and yielding to other work; an AppError fails the event. */
  prepare?(data: Wire): Promise<Data>;
  /** Tells the sender which parts of an accepted event were ignored. */
  warningsOf?(data: Data): readonly string[];
  /**
   * Whether applying an event again, however much later, changes nothing, so that it need not be remembered forever. True
   * for types that keep the newest report, but not for those that count, or that would restore what was deleted.
   */
  readonly isIdempotent: boolean;
  /** `data.repository_id` names a repository of the organization, which must exist. */
  readonly hasRepository: boolean;
  apply(
    tx: Tx,
    events: readonly ReceivedEvent<Data>[],
    context: ApplyContext,
  ): Promise<readonly EventFailure[]>;
}

/**
 * Erases the data type so that types of all capabilities fit in one list, and compiles the schema with the first event: events
 * arrive by the thousand.
 */
export function eventType<Data>(type: EventType<Data>): EventType {
  return compiled(type as unknown as EventType);
}

/** The same for a type whose data is prepared before `apply`. */
export function preparedEventType<Wire, Data>(
  type: EventType<Data, Wire> & Required<Pick<EventType<Data, Wire>, 'prepare'>>,
): EventType {
  return compiled(type as unknown as EventType);
}

function compiled(type: EventType): EventType {
  const schema = compiledOnUse(type.data);
  return {
    ...type,
    get data() {
      return schema();
    },
  };
}

/** The types by the names that events give them. */
export function typesByName(types: readonly EventType[]): ReadonlyMap<string, EventType> {
  return new Map(types.map((type) => [type.type, type]));
}

/** Reacts to events that another capability owns, after they were applied and in the same transaction. */
export interface EventFollower<Data = unknown> {
  readonly type: string;
  follow(tx: Tx, events: readonly ReceivedEvent<Data>[], context: { readonly now: Date }): Promise<void>;
}

/** Erases the data type so that followers of all capabilities fit in one list. */
export function eventFollower<Data>(follower: EventFollower<Data>): EventFollower {
  return follower as unknown as EventFollower;
}
