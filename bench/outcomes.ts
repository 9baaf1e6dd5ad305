// Measures the precision of `accepted`: makes labelled histories of pull requests out of real changes in the given repositories,
// follows a finding through each, and compares the verdict with the label.
// node bench/outcomes.ts <histories per repository> <seed> path/to/a.git path/to/b.git

import { seededRandom } from '../src/lib/seeded-random.ts';
import { historyKinds } from '../test/outcomes/history.ts';
import type { JudgedHistory } from '../test/outcomes/judge-history.ts';
import { judgedHistories } from './judged-histories.ts';

const [count = '100', seed = '1', ...folders] = process.argv.slice(2);
const write = (text: string) => process.stdout.write(`${text}\n`);
const random = seededRandom(Number(seed));
const judged = await judgedHistories(folders, Number(count), random);

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
const where = (isWanted: (one: JudgedHistory) => boolean) => judged.filter(isWanted);
const saysTrue = where(({ verdict }) => verdict.accepted === true);
const saysFalse = where(({ verdict }) => verdict.accepted === false);
const isAddressed = ({ history }: JudgedHistory) => history.isAddressed;
const chances = judged.flatMap(({ chance }) => chance ?? []);

write(`${judged.length} histories, ${where(isAddressed).length} of them acted on; seed ${seed}`);
write(`precision of true: ${share(saysTrue.filter(isAddressed).length, saysTrue.length)}`);
write(`recall of true: ${share(saysTrue.filter(isAddressed).length, where(isAddressed).length)}`);
write(`precision of false: ${share(saysFalse.filter((one) => !isAddressed(one)).length, saysFalse.length)}`);
write(
  `recall of false: ${share(saysFalse.filter((one) => !isAddressed(one)).length, where((one) => !isAddressed(one)).length)}`,
);
write(`unknown: ${share(where(({ verdict }) => verdict.accepted === null).length, judged.length)}`);
write(`mean chance rate: ${((100 * chances.reduce((a, b) => a + b, 0)) / chances.length).toFixed(1)} %`);
write('\nkind | label | n | true | false | unknown\n--- | --- | --- | --- | --- | ---');
for (const kind of historyKinds) {
  const all = where(({ history }) => history.kind === kind);
  const of = (accepted: boolean | null) => all.filter(({ verdict }) => verdict.accepted === accepted).length;
  write(
    `${kind} | ${all[0]?.history.isAddressed ? 'acted on' : 'not'} | ${all.length} | ${of(true)} | ${of(false)} | ${of(null)}`,
  );
}
write('\ndecided by | n | right\n--- | --- | ---');
for (const [signal, all] of Map.groupBy(judged, ({ verdict }) => verdict.signal))
  if (signal !== null)
    write(
      `${signal} | ${all.length} | ${share(all.filter((one) => isAddressed(one) === one.verdict.accepted).length, all.length)}`,
    );
