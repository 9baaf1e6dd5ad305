import type { SeededRandom } from '../src/lib/seeded-random.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import type { History } from '../test/outcomes/history.ts';
import { type JudgedHistory, judgeHistory } from '../test/outcomes/judge-history.ts';
import { makeHistory } from '../test/outcomes/make-history.ts';
import { readMaterial } from '../test/outcomes/material.ts';
import { storeHistories } from '../test/outcomes/store-histories.ts';

/** Makes histories out of real changes in the repositories, and judges each like a server. */
export async function judgedHistories(
  folders: readonly string[],
  count: number,
  random: SeededRandom,
): Promise<JudgedHistory[]> {
  const judged: JudgedHistory[] = [];
  for (const folder of folders) {
    const material = await readMaterial(folder, count, random);
    const histories: History[] = [];
    for (let tries = 0; histories.length < count && tries < count * 10 && material.length > 0; tries += 1) {
      const history = makeHistory(random.pick(material), random);
      if (history !== undefined) histories.push(history);
    }
    const { folder: made, stored, remove } = await storeHistories(histories);
    const repository = await openRepository(made, { searchPath: process.env.PATH });
    for (const [index, history] of histories.entries())
      judged.push(await judgeHistory(repository, history, stored[index]!));
    await repository.close();
    await remove();
    process.stderr.write(`${folder}: ${histories.length} histories from ${material.length} changes\n`);
  }
  return judged;
}
