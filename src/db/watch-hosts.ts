import type { Logger } from '../lib/log.ts';
import type { Schedule } from '../lib/schedule.ts';
import type { Database } from './database.ts';
import { nameOf } from './driver/database-url.ts';
import { primariesOf } from './driver/serving-host.ts';

/** The number of servers that say they are the primary; undefined until all hosts were asked. */
export interface HostWatch {
  primaries(): number | undefined;
  readonly schedule: Schedule;
}

const intervalMs = 5_000;

/** Watches the hosts of DATABASE_URL: there must be exactly one primary. Does nothing if the URL names a single host. */
export function watchHosts({
  database,
  log,
}: {
  readonly database: Database;
  readonly log: Logger;
}): HostWatch | undefined {
  const { checkHosts } = database;
  if (checkHosts === undefined) return undefined;
  let primaries: number | undefined;
  let reported = '';
  return {
    primaries: () => primaries,
    schedule: {
      name: 'watch-hosts',
      intervalMs,
      async run() {
        const found = primariesOf(await checkHosts());
        primaries = found.length;
        const said = found.map(({ host, answer }) => ({ host: nameOf(host), timeline: answer.timeline }));
        const report = found.length > 1 ? JSON.stringify(said) : '';
        if (report !== '' && report !== reported)
          log.error({ hosts: said }, 'more than one server says that it is the primary');
        if (report === '' && reported !== '') log.info({ hosts: said }, 'there is one primary again');
        reported = report;
      },
    },
  };
}
