import type { Database } from '../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../lib/metrics.ts';
import type { Vault } from '../../secrets/vault.ts';

/** Exports to Prometheus how many keys this node lacks to open the stored secrets. */
export function measureSecrets(
  registry: MetricsRegistry,
  { database, vault }: { readonly database: Database; readonly vault: Vault },
): void {
  collectedGauge(
    registry,
    {
      name: 'postil_secret_keys_missing',
      help: 'Keys that stored secrets need and this server does not have',
    },
    async () => [[{}, (await vault.missingKeys(database.sql)).length]],
  );
}
