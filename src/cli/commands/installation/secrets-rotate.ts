import path from 'node:path';
import type { Command } from 'commander';
import { systemActor } from '../../../access/actor.ts';
import { rotateSecrets } from '../../../capabilities/secrets/rotate-secrets.ts';
import type { Database } from '../../../db/database.ts';
import { readKeyRing } from '../../../secrets/key-ring.ts';
import { Vault } from '../../../secrets/vault.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { withInstallationDatabase } from '../../installation-database.ts';
import { connectOperator, NoServer } from '../../operator-client.ts';
import { print, printNote } from '../../output.ts';

interface Rotation {
  readonly key_id: string;
  readonly resealed: number;
  readonly retired: readonly string[];
  readonly key_source: 'file' | 'environment';
}

/** A server keeps its keys in memory, so only the server itself can change them while it runs. */
async function assertNoServer({ sql }: Database): Promise<void> {
  const servers = await sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'postil work' LIMIT 1`;
  if (servers.length > 0)
    throw new CommandError(
      'A server is running on this database: set POSTIL_URL and POSTIL_OPERATOR_TOKEN to rotate through it, or stop it',
    );
}

async function rotateHere(settings: Settings): Promise<Rotation> {
  const { secretKeys, dataDirectory } = settings;
  return withInstallationDatabase(settings, 'must be stopped', async (database) => {
    await assertNoServer(database);
    const ring = await readKeyRing({ secretKeys, dataDirectory: path.resolve(dataDirectory) });
    if (ring === undefined)
      throw new CommandError(`There is no key in ${dataDirectory}: nothing has been sealed yet`);
    const vault = new Vault(ring);
    const rotation = await rotateSecrets({ database, vault }, { actor: systemActor, now: new Date() });
    const { keyId, resealed, retired } = rotation;
    return { key_id: keyId, resealed, retired, key_source: vault.keySource };
  });
}

async function rotate(settings: Settings): Promise<Rotation> {
  try {
    const client = await connectOperator(settings);
    return (await client.send({ method: 'POST', path: '/operator/v1/secrets/rotate' })) as Rotation;
  } catch (error) {
    if (!(error instanceof NoServer) || settings.serverUrl !== undefined) throw error;
    return rotateHere(settings);
  }
}

function report({ key_id, resealed, retired, key_source }: Rotation): void {
  print(`${resealed} ${resealed === 1 ? 'secret' : 'secrets'} resealed; the key is now ${key_id}`);
  if (key_source === 'file') return;
  printNote(
    retired.length > 0
      ? `No longer needed: ${retired.join(', ')}. Remove it from POSTIL_SECRET_KEY and restart every node.`
      : 'POSTIL_SECRET_KEY has one key. To replace it, put a new key in front of it, separated by a comma, restart every node, and rotate again.',
  );
}

export function addSecretsRotate(secrets: Command): void {
  secrets
    .command('rotate')
    .description('encrypt the stored credentials with a new key, whether or not the server is running')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil secrets rotate'))
    .action(async ({ json }: { json?: boolean }) => {
      const rotation = await rotate(readSettings());
      if (json) print(JSON.stringify(rotation, null, 2));
      else report(rotation);
    });
}
