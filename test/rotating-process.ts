import { openDatabase } from '../src/db/database.ts';
import { loadKeyRing } from '../src/secrets/key-ring.ts';
import { Vault } from '../src/secrets/vault.ts';

/**
 * A process that rotates the key of a data folder in a loop, for tests that kill it. Its arguments are the data folder and the
 * database as JSON. It prints a line when it begins a rotation.
 */
const [dataDirectory = '', target = ''] = process.argv.slice(2);
const database = openDatabase(JSON.parse(target));
const vault = new Vault(await loadKeyRing({ secretKeys: undefined, dataDirectory }));
for (;;) {
  process.stdout.write('rotating\n');
  await vault.rotate(database);
}
