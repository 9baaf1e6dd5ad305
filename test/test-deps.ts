import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AppDeps } from '../src/app-deps.ts';
import type { ConnectionTarget } from '../src/db/database.ts';
import { anyAddress } from '../src/outbound/address-guard.ts';
import { createOutbound } from '../src/outbound/outbound.ts';
import { newKey } from '../src/secrets/key-ring.ts';
import { Vault } from '../src/secrets/vault.ts';
import type { AnyUnit } from '../src/work/unit-of-work.ts';
import { createWorkQueue } from '../src/work/work-queue.ts';

export type TestDeps = Pick<
  AppDeps,
  'vault' | 'outbound' | 'customerOutbound' | 'queue' | 'mirrorsFolder' | 'ownUrl'
>;

/** The folder for the mirrors of all apps in this process; created with the first mirror, removed when the process ends. */
const mirrors = path.join(tmpdir(), `postil-test-mirrors-${randomUUID()}`);
process.once('exit', () => rmSync(mirrors, { recursive: true, force: true }));

/** The dependencies with which an app reaches other systems: a queue that opens on first use, and a separate key. */
export function createTestDeps(
  target: ConnectionTarget,
  units: () => readonly AnyUnit[],
  onError: (error: unknown) => void = () => {},
): TestDeps {
  const outbound = createOutbound(anyAddress);
  return {
    vault: new Vault({ keys: [newKey()], origin: 'environment' }),
    outbound,
    customerOutbound: createOutbound(anyAddress, undefined, null),
    queue: createWorkQueue({ target, units, onError }),
    mirrorsFolder: path.join(mirrors, randomUUID()),
    ownUrl: () => 'http://postil.test',
  };
}
