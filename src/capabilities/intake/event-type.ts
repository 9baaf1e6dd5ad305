import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import type { OrganizationId, ProviderOrgId, ProviderRepositoryId, RepositoryId } from '../../lib/ids.ts';

/** An event that passed every check and was not seen before, with its tenant looked up. */
export interface ReceivedEvent<Data> {
  /** Position in the request, by which a failure is told. */
  readonly index: number;
  readonly id: string;
  readonly source: string;
  /** Decides what is newer, whatever the order of arrival. */
  readonly time: Date;
  readonly organization: { readonly id: OrganizationId; readonly providerOrgId: ProviderOrgId };
  /** Present for types that declare `hasRepository`. */
  readonly repository: {
    readonly id: RepositoryId;
    readonly providerRepositoryId: ProviderRepositoryId;
  } | null;
  readonly data: Data;
}

/** Why one event of a batch was not stored. */
export interface EventFailure {
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Work over all events of one transaction, whatever their types: begun at first use, and finished when everything was
 * applied and followed, as the last thing before the commit.
 */
export interface TransactionPart<State> {
  begin(): State;
  finish(tx: Tx, state: State): Promise<void>;
}

/**
 * Takes the locks that a capability needs for the events of a transaction, by their type: called once and ahead of all
 * that is applied, so that every transaction takes them in the same order whatever its events are.
 */
export type EventLock = (
  tx: Tx,
  events: ReadonlyMap<string, readonly ReceivedEvent<unknown>[]>,
) => Promise<void>;

/** What is told with events to apply. */
export interface ApplyContext {
  readonly now: Date;
  /** The state of the part in this transaction. */
  part<State>(part: TransactionPart<State>): State;
}

/**
 * One kind of event, owned by a capability. `apply` gets many at once so that it can write them in few statements;
 * whatever it writes lands together with the note that the events were seen, or not at all.
 */
export interface EventType<Data = unknown, Wire = Data> {
  readonly type: string;
  /** The shape of `data` beside `provider`, `org_id` and `instance`; strict. */
  readonly data: z.ZodType<Wire>;
  /** A field of the data that may hold any JSON, also what cannot be stored; `prepare` takes from it what can. */
  readonly looseField?: string;
  /** Turns the data into what `apply` gets, ahead of any transaction and in turns; an AppError fails the event. */
  prepare?(data: Wire): Promise<Data>;
  /** What of an event could not be taken although the event was, for its sender. */
  warningsOf?(data: Data): readonly string[];
  /**
   * Applying an event once more, however much later, changes nothing: then it need not be remembered for ever. So it is
   * with types that keep the newest of what was told, but not with those that count or bring back what was deleted.
   */
  readonly isRepeatable: boolean;
  /** `data.repository_id` names a repository of the organization, which must exist. */
  readonly hasRepository: boolean;
  apply(
    tx: Tx,
    events: readonly ReceivedEvent<Data>[],
    context: ApplyContext,
  ): Promise<readonly EventFailure[]>;
}

/** Erases the data type, so that types of all capabilities fit in one list; events come in thousands, so their shape is compiled. */
export function eventType<Data>(type: EventType<Data>): EventType {
  return { ...type, data: z.compile(type.data) } as unknown as EventType;
}

/** The same for a type whose data is prepared ahead of `apply`. */
export function preparedEventType<Wire, Data>(
  type: EventType<Data, Wire> & Required<Pick<EventType<Data, Wire>, 'prepare'>>,
): EventType {
  return { ...type, data: z.compile(type.data) } as unknown as EventType;
}

/** A capability that reacts to events which another one owns, after those were applied and in the same transaction. */
export interface EventFollower<Data = unknown> {
  readonly type: string;
  follow(tx: Tx, events: readonly ReceivedEvent<Data>[], context: { readonly now: Date }): Promise<void>;
}

/** Erases the data type, so that followers of all capabilities fit in one list. */
export function eventFollower<Data>(follower: EventFollower<Data>): EventFollower {
  return follower as unknown as EventFollower;
}
