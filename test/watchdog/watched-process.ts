import { openDatabase } from '../../src/db/database.ts';
import { whileInHand } from '../../src/lib/concurrency/in-hand.ts';
import { executeOn, takeLeases } from '../../src/work/leases.ts';
import { startWatchdog } from '../../src/work/watchdog/watchdog.ts';
import { patience } from '../patience.ts';
import { loopQuietly } from './quiet-loop.ts';

// A process under the watchdog, for watchdog.test.ts. It has two units in progress and hangs in one of them, or behaves as its
// argument says.

const [url = '', what] = process.argv.slice(2);
const target = { url };
const execute = executeOn(openDatabase(target, { maxConnections: 2, ...patience }).sql);

const hang: Readonly<Record<string, () => void>> = {
  expression: () => void /^(?:[^/]*?a){30}[^/]*?b$/.test('a'.repeat(200)),
  loop: () => {
    for (;;);
  },
  native: () =>
    void process
      .getBuiltinModule('node:child_process')
      .spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)']),
};

process.on('exit', () => process.stdout.write('cleaned up\n'));
process.on('SIGUSR2', () => {
  loopQuietly();
});
await takeLeases(execute, 'review', ['poison', 'bystander'], { seconds: 60 });
// These two use the processor while they hang.
const isBusy = what === 'expression' || what === 'loop';
const watchdog = startWatchdog(target, { tickMs: 500, silentTicks: isBusy ? 8 : 15, stopTicks: 15 });
void whileInHand({ kind: 'unit of work', name: 'review', key: 'bystander' }, () => new Promise(() => {}));
setInterval(() => {}, 60_000);
// Waits for a heartbeat, so that the watchdog has received the list of units in progress.
await new Promise((resolve) => setTimeout(resolve, 1_500));
process.stdout.write('ready\n');
if (what === 'stop') watchdog.expectStop();
else if (what !== 'nothing')
  await whileInHand({ kind: 'unit of work', name: 'review', key: 'poison' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    hang[what!]!();
  });
