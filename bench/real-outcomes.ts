// Measures the precision of `accepted` on real histories: follows the review comments of a set until the merge and compares the
// verdict with the label. bench/RESULTS.md describes the format of a set.
// node bench/real-outcomes.ts <folder of the set> --tuning owner/a,owner/b [--part tuning|reporting] [--list wrong|unknown]
import { parseArgs } from 'node:util';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { followComments, type JudgedComment, judgeComment } from './outcomes/judge-comment.ts';
import { readLabelledComments } from './outcomes/labelled-comments.ts';
import { writeFigures } from './outcomes/real-figures.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tuning: { type: 'string', default: '' },
    part: { type: 'string', default: 'reporting' },
    list: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('name the folder of a set');
const write = (text: string) => process.stdout.write(`${text}\n`);
const tuning = new Set(values.tuning.split(','));
const all = await readLabelledComments(folder);
const part = all.filter(({ repository }) => tuning.has(repository) === (values.part === 'tuning'));

/** The judged comments: with the known states of threads, and as if a person had resolved all threads in an unknown state. */
const judged: Record<'known' | 'resolved', JudgedComment[]> = { known: [], resolved: [] };
let missing = 0;
for (const [git, comments] of Map.groupBy(part, (comment) => comment.git)) {
  const repository = await openRepository(git, { searchPath: process.env.PATH });
  const followed = await followComments(repository, comments);
  missing += comments.length - followed.length;
  judged.known.push(...followed.map((one) => judgeComment(one, false)));
  judged.resolved.push(...followed.map((one) => judgeComment(one, true)));
  await repository.close();
}
write(`${part.length} comments in the ${values.part} part, ${missing} without their place`);
for (const [name, results] of Object.entries(judged)) {
  write(
    `\n# ${name === 'known' ? 'Threads as far as they are known' : 'As if a person had resolved every thread'}`,
  );
  writeFigures(results, write);
}
const isListed = ({ comment, verdict }: JudgedComment) =>
  values.list === 'unknown'
    ? verdict.accepted === null
    : values.list === 'wrong' && verdict.accepted === !comment.addressed;
for (const one of judged.resolved.filter(isListed)) write(JSON.stringify(one));
