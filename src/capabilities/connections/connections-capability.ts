import { setTimeout as sleep } from 'node:timers/promises';
import type { CursorCodec } from '../../http/cursor.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Capability } from '../capability.ts';
import type { EventSink } from '../intake/event-sink.ts';
import { appFlowEndpoints } from './app-flow-routes.ts';
import type { Connection } from './connection-record.ts';
import { createCalledConnections } from './deliveries/called-connections.ts';
import { createDeliveryWriter } from './deliveries/delivery-writer.ts';
import { dispatchDeliveries } from './deliveries/dispatch-deliveries.ts';
import { hookEndpoints } from './hook-routes.ts';
import { hostWorkUnits } from './host-work.ts';
import type { HostDeps } from './open-host.ts';
import { enqueueReading } from './reading/enqueue-reading.ts';
import type { PullRequestListener } from './reading/pull-request-listener.ts';
import type { ServedRepository } from './reading/serving-connection.ts';
import { connectionEndpoints, enqueueUnit } from './routes.ts';
import { connectionSchedules } from './schedules.ts';

export interface ConnectionsDeps extends HostDeps {
  readonly cursors: CursorCodec;
  readonly queue: WorkQueue;
  readonly acceptEvents: EventSink;
  readonly settings: { readonly hookMemoryDays?: number | undefined };
  /** The URL at which hosts reach this server. */
  readonly publicUrl: () => string;
  /** Who follows the pull requests that are read. */
  readonly pullRequests?: PullRequestListener | undefined;
  onError(error: unknown): void;
}

export interface Connections extends Capability {
  /** Has a pull request read again soon. */
  requestReading(served: ServedRepository, number: number): Promise<void>;
}

/** Long enough for related deliveries to arrive, and too short to be noticed. */
const firstPauseMs = 50;
/** While deliveries keep arriving, each round handles a whole second's worth: a pull request is read once for many of them. */
const nextPauseMs = 1_000;

/** Runs the work soon and never concurrently; a request made meanwhile makes it run once more. */
function coalesced(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isRequested = false;
  async function run(): Promise<void> {
    isRunning = true;
    for (let pauseMs = firstPauseMs; isRequested; pauseMs = nextPauseMs) {
      await sleep(pauseMs, undefined, { ref: false });
      isRequested = false;
      await work().catch(onError);
    }
    isRunning = false;
  }
  return () => {
    isRequested = true;
    if (!isRunning) void run();
  };
}

/** Connections: Git hosts that feed this installation by webhooks, sweeps and backfills. */
export function connections(deps: ConnectionsDeps): Connections {
  const units = hostWorkUnits(deps);
  const dispatch = () => dispatchDeliveries({ ...deps, units }, deps.clock());
  const onDelivery = coalesced(dispatch, deps.onError);
  const calledConnections = createCalledConnections(deps.database, deps.vault, deps.clock);
  const writeDelivery = createDeliveryWriter(deps.database);
  const shared = { ...deps, units, onDelivery, calledConnections, writeDelivery };
  const appFlow = { ...shared, onAdded: (connection: Connection) => enqueueUnit(shared, 'sync', connection) };
  return {
    endpoints: [...connectionEndpoints(shared), ...appFlowEndpoints(appFlow), ...hookEndpoints(shared)],
    schedules: connectionSchedules(shared),
    units: Object.values(units),
    async requestReading({ connection, repository }, number) {
      const subject = { repositoryId: repository.providerRepositoryId, number };
      await enqueueReading(deps, units.readPullRequest, connection.id, subject);
      deps.queue.wake(units.readPullRequest.name);
    },
  };
}
