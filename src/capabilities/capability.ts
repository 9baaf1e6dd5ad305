import type { Endpoint } from '../http/endpoint.ts';
import type { Schedule } from '../lib/schedule.ts';
import type { AnyUnit } from '../work/unit-of-work.ts';
import type { EventFollower, EventLock, EventType } from './intake/event-type.ts';

/** What one vertical part of the product adds to the server. */
export interface Capability {
  readonly endpoints?: readonly Endpoint[];
  /** The events it owns. */
  readonly eventTypes?: readonly EventType[];
  /** The events of others that it wants to hear of. */
  readonly eventFollowers?: readonly EventFollower[];
  /** What it must lock before any event of a transaction is applied. */
  readonly eventLocks?: readonly EventLock[];
  readonly schedules?: readonly Schedule[];
  /** Its kinds of work for the durable queue. */
  readonly units?: readonly AnyUnit[];
}
