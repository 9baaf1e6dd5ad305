// Measures the effect of attention: comments per pull request and their acceptance in a replay of histories, with and without it.
// Real changes in the given repositories become histories of findings with known outcomes, each judged like on a server (see
// bench/outcomes.ts). Rules of different precision raise them in the pull requests of one organization.
// node bench/attention.ts <histories per repository> <seed> path/to/a.git path/to/b.git
import { keptComments, type PostedComment } from '../src/capabilities/reviews/attention/replay.ts';
import { seededRandom } from '../src/lib/seeded-random.ts';
import { defaultConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import type { JudgedHistory } from '../test/outcomes/judge-history.ts';
import { judgedHistories } from './judged-histories.ts';

const [count = '60', seed = '1', ...folders] = process.argv.slice(2);
const write = (text: string) => process.stdout.write(`${text}\n`);
const random = seededRandom(Number(seed));
const judged = await judgedHistories(folders, Number(count), random);

/** The share of each rule's findings that people act on; the lower it is, the more findings the rule raises. */
const usefulness = [0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const rules = usefulness.map((share) => ({ name: `rule/${share}`, share, weight: 1 / (share + 0.1) }));
const [actedOn, left] = [true, false].map((isAddressed) =>
  judged.filter(({ history }) => history.isAddressed === isAddressed),
) as [JudgedHistory[], JudgedHistory[]];

function pickRule() {
  const whole = rules.reduce((sum, { weight }) => sum + weight, 0);
  let at = random.next() * whole;
  for (const rule of rules) {
    at -= rule.weight;
    if (at < 0) return rule;
  }
  return rules.at(-1)!;
}

const hourMs = 3_600_000;
const pullRequests = 1_000;
const comments: (PostedComment & { readonly isUseful: boolean })[] = [];
for (let pull = 0; pull < pullRequests; pull += 1) {
  const postedAt = new Date(Date.UTC(2026, 0, 1) + pull * 8 * hourMs);
  for (let index = Math.floor(random.next() * 7); index > 0; index -= 1) {
    const { name, share } = pickRule();
    const isUseful = random.next() < share;
    const { verdict } = random.pick(isUseful ? actedOn : left);
    comments.push({
      identity: `${pull}-${index}`,
      pull: String(pull),
      rules: [name],
      severity: 'minor',
      postedAt,
      accepted: verdict.accepted,
      decidedAt: new Date(postedAt.getTime() + 48 * hourMs),
      isUseful,
    });
  }
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const { attention } = defaultConfiguration.reviews;
write(
  `${judged.length} histories of ${folders.length} repositories, ${pullRequests} pull requests; seed ${seed}\n`,
);
write(
  'settings | comments | a pull request | accepted of those known | acted on | acted on and not posted\n--- | --- | --- | --- | --- | ---',
);
const useful = (some: readonly { readonly isUseful: boolean }[]) =>
  some.filter(({ isUseful }) => isUseful).length;
const line = (name: string, kept: typeof comments) => {
  const yes = kept.filter(({ accepted }) => accepted === true).length;
  const known = kept.filter(({ accepted }) => accepted !== null).length;
  const lost = useful(comments) - useful(kept);
  write(
    `${name} | ${kept.length} | ${(kept.length / pullRequests).toFixed(2)} | ${percent(yes, known)} | ${percent(useful(kept), kept.length)} | ${lost} of ${useful(comments)}`,
  );
};
line('before', comments);
const tried = [attention, { ...attention, min_outcomes: 10 }, { ...attention, mute_below: 0.3 }];
for (const settings of tried) {
  const kept = keptComments(comments, settings, new Map());
  line(
    `from ${settings.min_outcomes} outcomes, below ${settings.mute_below}`,
    comments.filter((comment) => kept.has(comment)),
  );
}
write('\nrule is right | comments | after\n--- | --- | ---');
const kept = keptComments(comments, attention, new Map());
for (const { name, share } of rules) {
  const own = comments.filter((comment) => comment.rules[0] === name);
  write(
    `${(100 * share).toFixed(0)} % | ${own.length} | ${own.filter((comment) => kept.has(comment)).length}`,
  );
}
