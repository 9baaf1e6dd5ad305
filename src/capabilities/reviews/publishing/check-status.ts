import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import type { HostStatus } from '../../connections/hosts/review-host.ts';

const maxNamed = 5;

/**
 * The state of the status: red if a check in mode `error` fails, neutral if one of those is inconclusive or another check
 * fails, otherwise green.
 */
export function statusOfChecks(verdicts: readonly CheckVerdict[]): Pick<HostStatus, 'state' | 'title'> {
  const those = (mode: CheckVerdict['mode'], verdict: CheckVerdict['verdict']) =>
    verdicts.filter((check) => check.mode === mode && check.verdict === verdict);
  const failing = those('error', 'failed');
  if (failing.length > 0) return { state: 'failure', title: `Failed: ${namesOf(failing)}` };
  const undecided = those('error', 'inconclusive');
  const warned = those('warning', 'failed');
  const faults = [
    ...(undecided.length > 0 ? [`Inconclusive: ${namesOf(undecided)}`] : []),
    ...(warned.length > 0 ? [`Warning: ${namesOf(warned)}`] : []),
  ];
  if (faults.length > 0) return { state: 'neutral', title: faults.join('. ') };
  const open = those('warning', 'inconclusive');
  const overridden = verdicts.filter(isOverridden);
  const skipped = verdicts.filter(({ verdict }) => verdict === 'skipped').length;
  const passed = verdicts.length - open.length - overridden.length - skipped;
  const counts = [
    ...(passed > 0 ? [`${passed === 1 ? '1 check' : `${passed} checks`} passed`] : []),
    ...(skipped > 0 ? [`${skipped === 1 ? '1 check' : `${skipped} checks`} had nothing to check`] : []),
  ];
  const parts = [
    ...(counts.length > 0 ? [counts.join(', ')] : []),
    ...(overridden.length > 0 ? [`Overridden: ${namesOf(overridden)}`] : []),
    ...(open.length > 0 ? [`Inconclusive: ${namesOf(open)}`] : []),
  ];
  return { state: 'success', title: parts.join('. ') };
}

export const isOverridden = ({ overridden }: CheckVerdict) => overridden !== undefined;

export function namesOf(checks: readonly CheckVerdict[]): string {
  const names = checks.slice(0, maxNamed).map(({ name }) => name);
  return `${names.join(', ')}${checks.length > maxNamed ? ` and ${checks.length - maxNamed} more` : ''}`;
}
