import type { SeededRandom } from '../../src/lib/seeded-random.ts';
import { openRepository } from '../../src/reviewer/repository/repository.ts';
import { runGit } from '../../src/reviewer/repository/run-git.ts';

/** A file before and after a change. */
export interface Material {
  readonly path: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const isCode = /\.(?:[cm]?[jt]sx?|py|go|java|rb|rs|php|cs|kt|c|cc|cpp|h)$/;
const minLines = 40;
const maxLines = 2_000;
const maxBytes = 200_000;

/** Reads changes of single files from the newest commits of a repository, spread over its history. */
export async function readMaterial(folder: string, count: number, random: SeededRandom): Promise<Material[]> {
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  try {
    const listed = await runGit(
      [
        'log',
        '--no-merges',
        '--max-count=1500',
        '--diff-filter=M',
        '--raw',
        '--no-abbrev',
        '--no-renames',
        '--format=',
      ],
      repository.call,
    );
    const changes = [...listed.toString().matchAll(/^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) M\t(.+)$/gm)].filter(
      ([, , , path]) => isCode.test(path!),
    );
    const found: Material[] = [];
    for (let tries = 0; found.length < count && tries < count * 6 && changes.length > 0; tries += 1) {
      const [, before, after, path] = random.pick(changes) as unknown as [string, string, string, string];
      const read = async (id: string) =>
        (await runGit(['cat-file', 'blob', id], { ...repository.call, maxBytes })).toString();
      const texts = await Promise.all([read(before), read(after)]).catch(() => undefined); // large files are absent
      const [older, newer] = (texts ?? []).map((text) => text.replace(/\n$/, '').split('\n'));
      if (older === undefined || newer === undefined) continue;
      if (older.length >= minLines && older.length <= maxLines)
        found.push({ path, before: older, after: newer });
    }
    return found;
  } finally {
    await repository.close();
  }
}

/** Generates material, for use without a repository. */
export function inventMaterial(random: SeededRandom): Material {
  const names = ['load', 'store', 'parse', 'render', 'merge', 'count', 'send', 'check', 'split', 'close'];
  const line = (index: number) => {
    const [one, other] = [random.pick(names), random.pick(names)];
    return random.pick([
      `  const ${one}${index} = ${other}(input, ${index});`,
      `  if (${one}(${other}${index}) > ${random.below(90)}) return ${other}${index};`,
      `  ${one}.${other}(item${index}, { retries: ${random.below(9)} });`,
      `  log.info('${one} ${other}', value${index});`,
    ]);
  };
  const before = Array.from({ length: 60 + random.below(80) }, (_, index) =>
    index % 12 === 0
      ? `export function ${random.pick(names)}${index}(input) {`
      : index % 12 === 11
        ? '}'
        : line(index),
  );
  const after = before.flatMap((text, index) => {
    if (!random.chance(0.06)) return [text];
    return random.pick([
      [],
      [line(index + 500)],
      [text, line(index + 700)],
      [line(index + 900), line(index + 950)],
    ]);
  });
  return { path: `src/${random.pick(names)}/${random.pick(names)}.ts`, before, after };
}
