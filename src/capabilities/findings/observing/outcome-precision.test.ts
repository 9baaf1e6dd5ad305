import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { History } from '../../../../test/outcomes/history.ts';
import { type JudgedHistory, judgeHistory } from '../../../../test/outcomes/judge-history.ts';
import { makeHistory } from '../../../../test/outcomes/make-history.ts';
import { inventMaterial } from '../../../../test/outcomes/material.ts';
import { storeHistories } from '../../../../test/outcomes/store-histories.ts';
import { seededRandom } from '../../../lib/seeded-random.ts';
import { openRepository } from '../../../reviewer/repository/repository.ts';

// Generated code, so that the test needs no repository; bench/outcomes.ts does the same with real ones.
const random = seededRandom(20);
const histories: History[] = [];
while (histories.length < 120) {
  const history = makeHistory(inventMaterial(random), random);
  if (history !== undefined) histories.push(history);
}
const { folder, stored, remove } = await storeHistories(histories);
after(remove);
const repository = await openRepository(folder, { searchPath: process.env.PATH });
after(() => repository.close());
const judged: JudgedHistory[] = [];
for (const [index, history] of histories.entries())
  judged.push(await judgeHistory(repository, history, stored[index]!));
const says = (accepted: boolean | null) => judged.filter(({ verdict }) => verdict.accepted === accepted);

test('where it says accepted at least 85 % were acted on, and where it says not accepted at least 97 % were not', () => {
  const [yes, no] = [says(true), says(false)];
  assert.ok(yes.length >= 15 && no.length >= 40, `${yes.length} accepted, ${no.length} not`);
  const right = (all: JudgedHistory[]) =>
    all.filter(({ history, verdict }) => history.isAddressed === verdict.accepted).length / all.length;
  assert.ok(right(yes) >= 0.85, `${right(yes)}`);
  assert.ok(right(no) >= 0.97, `${right(no)}`);
});

test('nothing is accepted that was neither changed nor spoken for', () => {
  for (const { history, verdict, signals } of says(true)) {
    const isChanged = signals.some(
      ({ signal }) => signal === 'lines_changed' || signal === 'suggestion_landed',
    );
    assert.ok(isChanged, `${history.kind}: ${verdict.signal}`);
  }
});

test('formatting, rebases and reverted changes are not taken for an answer', () => {
  const quiet = judged.filter(({ history }) =>
    ['formatted', 'reverted', 'untouched', 'suppressed'].includes(history.kind),
  );
  assert.ok(quiet.length > 20);
  assert.deepEqual(
    quiet.filter(({ verdict }) => verdict.accepted === true).map(({ history }) => history.kind),
    [],
  );
});
