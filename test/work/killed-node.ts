import { openDatabase } from '../../src/db/database.ts';
import { runSchedules } from '../../src/lib/schedule.ts';
import { createWorkQueue } from '../../src/work/work-queue.ts';
import { patience } from '../patience.ts';
import { type Die, doneUnit, dueSchedule, type Point, pointsOfUnits } from './killed-work.ts';

// A node for work-survives-kill.test.ts, which is killed, as by kill -9, at the point named by its argument.

const [url = '', point = ''] = process.argv.slice(2);
const target = { url };
const database = openDatabase(target, { maxConnections: 4, ...patience });
const tell = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
const dieNow = () => process.kill(process.pid, 'SIGKILL');
const die: Die = (here) => {
  if (here === point) dieNow();
};
const isOfUnit = (pointsOfUnits as readonly string[]).includes(point);
const unit = doneUnit(database, isOfUnit ? (point as Point) : 'at its end', die);
const queue = createWorkQueue({ target, units: () => [unit], onError: tell });

switch (point) {
  case 'before the commit':
    await database.transaction(async (tx) => {
      await queue.enqueue(tx, unit, {}, { key: 'never committed' });
      dieNow();
    });
    break;
  case 'in a transaction of a schedule':
    runSchedules([dueSchedule(database, die)], (_, error) => tell(error));
    break;
  default:
    await queue.startWorkers();
}
