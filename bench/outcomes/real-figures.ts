import { shareInterval } from '../../src/reviewer/judge/share-interval.ts';
import type { JudgedComment } from './judge-comment.ts';

/** A share in per cent with its 95 % Wilson interval. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const { low, high } = shareInterval(part, whole);
  const percent = (value: number) => (100 * value).toFixed(1);
  return `${percent(part / whole)} % [${percent(low)}–${percent(high)}] (${part} of ${whole})`;
}

const isRight = ({ comment, verdict }: JudgedComment) => verdict.accepted === comment.addressed;

function rowOf(name: string, all: readonly JudgedComment[]): string {
  const says = (accepted: boolean | null) => all.filter(({ verdict }) => verdict.accepted === accepted);
  const precision = (accepted: boolean) =>
    shareText(says(accepted).filter(isRight).length, says(accepted).length);
  const addressed = all.filter(({ comment }) => comment.addressed).length;
  return `${name} | ${all.length} | ${addressed} | ${precision(true)} | ${precision(false)} | ${shareText(says(null).length, all.length)}`;
}

/**
 * Prints the precision of both verdicts and the share of unknown ones: overall, by author, by repository, and by the deciding
 * signal.
 */
export function writeFigures(all: readonly JudgedComment[], write: (text: string) => void): void {
  const groups = (keyOf: (one: JudgedComment) => string) =>
    [...Map.groupBy(all, keyOf)].sort(([, a], [, b]) => b.length - a.length);
  write(
    '\n| comments | n | addressed | true is right | false is right | unknown\n--- | --- | --- | --- | --- | ---',
  );
  write(rowOf('all', all));
  for (const [name, group] of groups(({ comment }) => (comment.is_bot ? 'of bots' : 'of people')))
    write(rowOf(name, group));
  for (const [name, group] of groups(({ comment }) => `labelled by a ${comment.labelled_by}`))
    write(rowOf(name, group));
  for (const [name, group] of groups(({ comment }) => comment.reviewer).slice(0, 12))
    write(rowOf(name, group));
  for (const [name, group] of groups(({ comment }) => comment.repository)) write(rowOf(name, group));
  write('\n| decided by | n | right\n--- | --- | ---');
  for (const [name, group] of groups(({ verdict }) => `${verdict.signal} → ${verdict.accepted}`))
    if (group[0]!.verdict.accepted !== null)
      write(`${name} | ${group.length} | ${shareText(group.filter(isRight).length, group.length)}`);
  write('\n| unknown because its lines are | n | addressed\n--- | --- | ---');
  for (const [name, group] of groups(({ state }) => state)) {
    const unknown = group.filter(({ verdict }) => verdict.accepted === null);
    const addressed = unknown.filter(({ comment }) => comment.addressed).length;
    write(`${name} | ${unknown.length} | ${shareText(addressed, unknown.length)}`);
  }
}
