import { concurrencyLimit } from '../../lib/concurrency/concurrency-limit.ts';
import type { Capability } from '../capability.ts';
import type { DigestDeps } from './change-digest.ts';
import { digestEndpoints } from './routes.ts';
import { type SendingDeps, sendDigests } from './sending/schedules.ts';

const maxConcurrentMeasures = 2;

/** Weekly digests: a page, mails and messages to chats. */
export function digests(deps: DigestDeps & SendingDeps): Capability {
  const limitMeasuring = concurrencyLimit(maxConcurrentMeasures);
  return { endpoints: digestEndpoints({ ...deps, limitMeasuring }), schedules: [sendDigests(deps)] };
}
