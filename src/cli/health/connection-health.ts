import path from 'node:path';
import { postilCommand } from '../../lib/own-files.ts';
import { keyFileIn, parseKeys } from '../../secrets/key-ring.ts';
import { readPrivateFile } from '../../secrets/private-file.ts';
import type { Settings } from '../../settings.ts';
import { type ConnectionView, connectionsPath } from '../connections/connection.ts';
import { type OperatorClient, readPages } from '../operator-client.ts';
import { type MetricsClient, readMetrics } from './server-metrics.ts';

/** Longer than any retry delay for a host that responds; backfills may take longer. */
const maxWaitSeconds = 60 * 60;
const patientUnit = 'backfill-repository';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** Describes where the key for stored secrets is; throws if it cannot be used. Changes nothing. */
export async function describeKeyFile({ secretKeys, dataDirectory }: Settings): Promise<string> {
  if (secretKeys !== undefined) return `${count(secretKeys.length, 'key', 'keys')} in POSTIL_SECRET_KEY`;
  const file = keyFileIn(path.resolve(dataDirectory));
  const found = await readPrivateFile(file);
  if (found === undefined)
    throw new Error(`${file} is missing: put your copy back, or start the server to make a new one`);
  if (parseKeys(found.text) === undefined)
    throw new Error(
      `${file} does not contain valid 32-byte keys (base64 or hex); restore it from your backup`,
    );
  if (found.isReadableByOthers) throw new Error(`${file} can be read by other users: chmod 600 ${file}`);
  return file;
}

/** Reports that the server can decrypt all stored secrets; throws if a key is missing. */
export async function describeSealedSecrets(client: MetricsClient): Promise<string> {
  const missing = (await readMetrics(client)).get('postil_secret_keys_missing') ?? 0;
  if (missing > 0)
    throw new Error(
      `stored secrets need ${count(missing, 'key', 'keys')} that the server does not have: put the former secret key back, or give the connections their credentials again`,
    );
  return 'can be opened';
}

/** Describes the health of the connections; throws if a host refuses requests or is unavailable. */
export async function describeConnectionHealth(client: OperatorClient): Promise<string> {
  const connections = await Array.fromAsync(readPages<ConnectionView>(client, connectionsPath));
  if (connections.length === 0) return `none yet (${postilCommand} connections add)`;
  const failing = connections.filter(({ status }) => status === 'failing');
  if (failing.length > 0)
    throw new Error(
      failing
        .map(
          ({ id, url, health }) => `${id} (${new URL(url).host}): ${health.last_error?.message ?? 'failing'}`,
        )
        .join('; '),
    );
  const paused = connections.filter(({ status }) => status === 'paused').length;
  const waiting = connections.reduce((sum, { health }) => sum + health.waiting, 0);
  const byHand = connections.filter(({ webhook }) => webhook.instructions.length > 0);
  const webhooks = byHand.reduce((sum, { webhook }) => sum + webhook.instructions.length, 0);
  return [
    `${connections.length - paused} ready`,
    ...(paused > 0 ? [`${paused} paused`] : []),
    `${count(waiting, 'delivery waits', 'deliveries wait')}`,
    ...(webhooks > 0
      ? [
          `${count(webhooks, 'webhook has', 'webhooks have')} to be registered by hand (${byHand
            .slice(0, 3)
            .map(({ id }) => `${postilCommand} connections show ${id}`)
            .join(', ')})`,
        ]
      : []),
  ].join(', ');
}

/** Describes the amount of queued work; throws if some has waited too long. */
export async function describeWork(client: MetricsClient, now = Date.now()): Promise<string> {
  const metrics = [...(await readMetrics(client))];
  const total = (state: string) =>
    metrics
      .filter(([name]) => name.startsWith('postil_work_units{') && name.includes(`state="${state}"`))
      .reduce((sum, [, value]) => sum + value, 0);
  const stuck = metrics.filter(
    ([name, since]) =>
      name.startsWith('postil_work_oldest_waiting_timestamp_seconds{') &&
      !name.includes(`"${patientUnit}"`) &&
      now / 1000 - since > maxWaitSeconds,
  );
  if (stuck.length > 0) {
    const units = stuck.map(([name]) => /unit="([^"]+)"/.exec(name)?.[1]).join(', ');
    throw new Error(
      `work has waited for more than an hour (${units}): see "work failed" in the server's log`,
    );
  }
  return `${total('waiting')} waiting, ${total('running')} running, ${total('failed')} failed in the last day`;
}
