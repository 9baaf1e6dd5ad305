import { readFile } from 'node:fs/promises';
import type { RowSource } from '../../src/db/driver/sql.ts';

const ticksPerSecond = 100;

/** The CPU time, in milliseconds, that this process and the reader's PostgreSQL process have used so far; Linux only. */
export async function cpuTimer(read: RowSource): Promise<() => Promise<number>> {
  let pid = 0;
  await read('SELECT pg_backend_pid()::bigint', [], (row) => {
    pid = row.integer(0);
  });
  return async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [userTicks, systemTicks] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + ((Number(userTicks) + Number(systemTicks)) * 1000) / ticksPerSecond;
  };
}
