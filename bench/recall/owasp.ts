import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { changeOf, type Versions } from '../../test/change-of-versions.ts';
import { perThousand, type Said } from './ask-rules.ts';
import type { Tool } from './other-tools.ts';

/** The CWEs that count as a hit for each category. */
const weaknesses: Readonly<Record<string, readonly string[]>> = {
  cmdi: ['CWE-78'],
  codeinj: ['CWE-94', 'CWE-95'],
  crypto: ['CWE-327'],
  deserialization: ['CWE-502'],
  hash: ['CWE-327', 'CWE-328'],
  ldapi: ['CWE-90'],
  pathtraver: ['CWE-22'],
  redirect: ['CWE-601'],
  securecookie: ['CWE-614'],
  sqli: ['CWE-89'],
  trustbound: ['CWE-501'],
  weakrand: ['CWE-330', 'CWE-338'],
  xpathi: ['CWE-643'],
  xss: ['CWE-79'],
  xxe: ['CWE-611'],
};

const casesAChange = 100;

interface Suite {
  readonly name: string;
  readonly ending: string;
  readonly cases: string;
  readonly helpers: string;
}

export const measureBenchmarkPython = measure({
  name: 'BenchmarkPython',
  ending: '.py',
  cases: 'testcode',
  helpers: 'helpers',
});
const java = 'src/main/java/org/owasp/benchmark';
export const measureBenchmarkJava = measure({
  name: 'BenchmarkJava',
  ending: '.java',
  cases: `${java}/testcode`,
  helpers: `${java}/helpers`,
});

function measure(suite: Suite) {
  return async (
    folder: string,
    isWanted: (number: number) => boolean,
    show: (text: string) => void,
    tools: readonly Tool[],
  ) => {
    const [own, ...others] = tools;
    const lines = [...(await measureSuite(suite, own!, folder, isWanted, show))];
    for (const tool of others) {
      const [total, amount] = (await measureSuite(suite, tool, folder, isWanted, () => {})).slice(-2);
      lines.push(`${tool.name}: ${total} ${amount}`);
    }
    return lines;
  };
}

/**
 * OWASP's score: the share of real vulnerabilities that are found minus the share of false ones that are reported, averaged
 * over categories.
 */
async function measureSuite(
  { name: suite, ending, cases, helpers: helperFolder }: Suite,
  tool: Tool,
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
): Promise<string[]> {
  const root = path.join(folder, suite);
  const texts = (name: string): Versions =>
    Object.fromEntries(
      readdirSync(path.join(root, name))
        .filter((file) => file.endsWith(ending))
        .map((file) => [`${name}/${file}`, [null, readFileSync(path.join(root, name, file), 'utf8')]]),
    );
  const expected = readFileSync(
    path.join(root, readdirSync(root).find((name) => /^expectedresults-.*\.csv$/.test(name))!),
    'utf8',
  )
    .split('\n')
    .map((line) => /^(BenchmarkTest(\d+)),(\w+),(true|false)/.exec(line))
    .filter((found) => found !== null && isWanted(Number(found[2])))
    .map((found) => ({
      path: `${cases}/${found![1]}${ending}`,
      category: found![3]!,
      isReal: found![4] === 'true',
    }));
  const helpers = texts(helperFolder);
  const all = texts(cases);
  const findings: Said[] = [];
  let added = 0;
  // The number of findings per run is limited, so many small changes give more findings than a large one.
  for (let from = 0; from < expected.length; from += casesAChange) {
    const some = expected
      .slice(from, from + casesAChange)
      .map((each) => [each.path, all[each.path]!] as const);
    const asked = await tool.ask(changeOf({ ...helpers, ...Object.fromEntries(some) }));
    findings.push(...asked.findings);
    added += asked.added;
  }
  const byPath = Map.groupBy(findings, (finding) => finding.path);
  const lines = [
    '| Category | Found of the real | Found of the others | Score |',
    '| --- | --- | --- | --- |',
  ];
  let sum = 0;
  const categories = Map.groupBy(expected, ({ category }) => category);
  for (const [category, own] of [...categories].sort()) {
    const isFound = (file: string) =>
      byPath.get(file)?.some(({ cwe }) => weaknesses[category]?.includes(cwe ?? '')) === true;
    const [real, others] = [own.filter(({ isReal }) => isReal), own.filter(({ isReal }) => !isReal)];
    const [right, wrong] = [
      real.filter((each) => isFound(each.path)),
      others.filter((each) => isFound(each.path)),
    ];
    for (const each of wrong) show(`WRONG ${category} ${each.path}`);
    for (const each of real) if (!isFound(each.path)) show(`MISSED ${category} ${each.path}`);
    const score = 100 * (right.length / (real.length || 1) - wrong.length / (others.length || 1));
    sum += score;
    lines.push(
      `| ${category} | ${right.length} of ${real.length} | ${wrong.length} of ${others.length} | ${score.toFixed(1)} |`,
    );
  }
  lines.push(
    `| **all** | | | **${(sum / categories.size).toFixed(1)}** |`,
    `${findings.length} findings on ${added} lines, ${perThousand(findings.length, added)} per 1,000.`,
  );
  return lines;
}
