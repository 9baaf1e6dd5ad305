import type { Severity } from '../../../reviewer/finding-vocabulary.ts';
import { reaches } from '../../../reviewer/judge/judge.ts';
import type { HostStatus } from '../../connections/hosts/review-host.ts';

export interface Reviewed {
  readonly status: 'succeeded' | 'degraded' | 'skipped' | 'failed';
  readonly reason: string | null;
  readonly failOn: Severity | 'none';
  /** The severities of all open findings at this head, posted or not. */
  readonly open: readonly Severity[];
}

/** A status is never green while findings of this severity or worse are open, whatever `fail_on` says. */
const grave = 'major';

/**
 * The state of the status: red if a finding reaches `fail_on`; green only if everything was reviewed and no grave finding is
 * open; a warning if only the latter is not met and `fail_on` is not `none`; otherwise neutral.
 */
export function statusOfReview({
  status,
  reason,
  failOn,
  open,
}: Reviewed): Pick<HostStatus, 'state' | 'title'> {
  if (status === 'skipped') return { state: 'neutral', title: `Not reviewed: ${reason ?? 'skipped'}` };
  const failing = open.filter((severity) => reaches(severity, failOn)).length;
  if (failing > 0) return { state: 'failure', title: `${counted(failing)} of severity ${orWorse(failOn)}` };
  const graves = open.filter((severity) => reaches(severity, grave)).length;
  const count = open.length === 0 ? 'no findings' : counted(open.length);
  const found = graves === 0 ? count : `${count}, ${graves} of severity ${orWorse(grave)}`;
  if (status === 'failed')
    return { state: 'neutral', title: `The review failed: ${reason ?? 'unknown reason'}` };
  if (status === 'degraded')
    return { state: 'neutral', title: `Reviewed in part, ${found}: ${reason ?? 'not everything was seen'}` };
  if (open.length === 0) return { state: 'success', title: 'No findings' };
  if (failOn === 'none') return { state: 'neutral', title: found };
  if (graves > 0) return { state: 'warning', title: `${found}, none of severity ${orWorse(failOn)}` };
  return { state: 'success', title: `${found}, none of severity ${orWorse(failOn)}` };
}

function counted(count: number): string {
  return count === 1 ? '1 finding' : `${count} findings`;
}

function orWorse(severity: Severity | 'none'): string {
  return severity === 'critical' ? severity : `${severity} or worse`;
}
