import { setTimeout as sleep } from 'node:timers/promises';
import { postilCommand } from '../../lib/own-files.ts';
import { CommandError } from '../command-error.ts';
import type { OperatorClient } from '../operator-client.ts';
import { startProgress, startWaiting } from '../output.ts';
import { type ConnectionView, connectionOptionNames, pathOf } from './connection.ts';

const pollMs = 500;

export async function readConnection(client: OperatorClient, id: string): Promise<ConnectionView> {
  const request = { method: 'GET', path: pathOf(id), optionNames: connectionOptionNames } as const;
  return (await client.send(request)) as ConnectionView;
}

/** Throws if waiting is pointless for now: the host fails or rejects requests, or the connection is paused. */
function expectProgress({ id, status, health }: ConnectionView, before: ConnectionView): void {
  if (status === 'paused')
    throw new CommandError(
      `The connection is paused; "${postilCommand} connections resume ${id}" resumes it`,
    );
  const { last_error } = health;
  if (status === 'failing' && last_error !== null && last_error.at !== before.health.last_error?.at)
    throw new CommandError(
      `${last_error.message}\nPostil keeps trying. "${postilCommand} connections check ${id}" shows what is missing.`,
    );
}

/** Waits until organizations, repositories and members have been read since `before`. */
export async function waitForSync(client: OperatorClient, before: ConnectionView): Promise<ConnectionView> {
  const waiting = startWaiting('Reading organizations, repositories and members');
  try {
    for (;;) {
      const connection = await readConnection(client, before.id);
      if (connection.synced_at !== before.synced_at) return connection;
      expectProgress(connection, before);
      await sleep(pollMs);
    }
  } finally {
    waiting.end();
  }
}

/** Waits until a backfill has ended, and shows its progress. */
export async function waitForBackfill(
  client: OperatorClient,
  before: ConnectionView,
): Promise<ConnectionView> {
  const progress = startProgress('Reading pull requests');
  try {
    for (;;) {
      const connection = await readConnection(client, before.id);
      const { state, done, total } = connection.backfill;
      progress.update(done, total);
      if (state === 'failed')
        throw new CommandError(
          `Some repositories could not be read: ${connection.health.last_error?.message ?? 'see the server log'}`,
        );
      if (state !== 'running') return connection;
      expectProgress(connection, before);
      await sleep(pollMs);
    }
  } finally {
    progress.end();
  }
}
