// Adds known bugs in a change and lets rules review it, without a model:
// npm run bench:recall -- FOLDER [--half odd|even] [--show] [--others] [--tools TOOLS]
// FOLDER contains any of these data sets, as published; nothing is downloaded:
//   BenchmarkPython/, BenchmarkJava/   OWASP's cases with expectedresults-*.csv
//   SecBench.js/CLASS/CASE/     its package.json with `sink`, and package/, the unpacked package of that version
//   ossf-cve-benchmark/CVEs/    its cases; the projects are in repositories/OWNER+NAME.git
//   vulndb/data/osv/            the Go vulnerability database; projects as above, if available
// With --others, other tools review the same changes: oxlint with its defaults, all rules `S` of Ruff, and ESLint with its
// security plugin, if the folder TOOLS contains it (npm install eslint eslint-plugin-security @typescript-eslint/parser).
// Rules are tuned only on even numbers (of the case, of the CVE, or the position in the sorted folder); figures are for odd ones.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { askRules } from './recall/ask-rules.ts';
import { measureCves } from './recall/cves.ts';
import { measureGoFixes } from './recall/go-fixes.ts';
import { otherTools, type Tool } from './recall/other-tools.ts';
import { measureBenchmarkJava, measureBenchmarkPython } from './recall/owasp.ts';
import { measureSecBench } from './recall/sec-bench.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'odd' },
    show: { type: 'boolean', default: false },
    others: { type: 'boolean', default: false },
    tools: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('name a folder with sets of known bugs');
const isWanted = (number: number) => (number % 2 === 1) === (values.half === 'odd');
const write = (text: string) => process.stdout.write(`${text}\n`);
const show = values.show ? write : () => {};

const own: Tool = { name: 'Postil', ask: askRules };
const tools = [own, ...(values.others ? await otherTools(values.tools) : [])];

const sets = [
  ['BenchmarkPython', measureBenchmarkPython],
  ['BenchmarkJava', measureBenchmarkJava],
  ['SecBench.js', measureSecBench],
  ['ossf-cve-benchmark', measureCves],
  ['vulndb', measureGoFixes],
] as const;
for (const [name, measure] of sets)
  if (existsSync(path.join(folder, name))) {
    write(`## ${name}, ${values.half} numbers`);
    for (const line of await measure(folder, isWanted, show, tools)) write(line);
  }
