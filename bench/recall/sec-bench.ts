import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { changeOf, type Versions } from '../../test/change-of-versions.ts';
import { askRules, isAt, percent } from './ask-rules.ts';

const classes = ['code-injection', 'command-injection', 'path-traversal', 'prototype-pollution', 'redos'];
const maxFiles = 300;
const maxLength = 400_000;

/** The code of a package, without what it brings along. */
function codeOf(folder: string, at = ''): string[] {
  return readdirSync(path.join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(at, entry.name);
    if (entry.isDirectory())
      return /^(?:node_modules|test|tests|\.git)$/.test(entry.name) ? [] : codeOf(folder, file);
    const isCode = /\.[cm]?[jt]sx?$/.test(entry.name) && statSync(path.join(folder, file)).size < maxLength;
    return isCode ? [file] : [];
  });
}

/** Packages with a known hole, each as a change that adds it: is anything said within three lines of where it is? */
export async function measureSecBench(
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
): Promise<string[]> {
  const lines = [
    '| Class | At the place | | By `dataflow` | Findings per 1,000 lines |',
    '| --- | --- | --- | --- | --- |',
  ];
  const all = { cases: 0, found: 0, byFlow: 0, findings: 0, added: 0 };
  for (const name of classes) {
    const own = { cases: 0, found: 0, byFlow: 0, findings: 0, added: 0 };
    const root = path.join(folder, 'SecBench.js', name);
    const cases = readdirSync(root).filter((each) => existsSync(path.join(root, each, 'package.json')));
    for (const [index, each] of cases.sort().entries()) {
      const sink = isWanted(index + 1) ? sinkOf(path.join(root, each)) : null;
      if (sink === null) continue;
      const code = codeOf(path.join(root, each, 'package')).slice(0, maxFiles);
      const versions: Versions = Object.fromEntries(
        code.map((file) => [file, [null, readFileSync(path.join(root, each, 'package', file), 'utf8')]]),
      );
      const { findings, added } = await askRules(changeOf(versions));
      const here = findings.filter((finding) => isAt(finding, sink.file, sink.line));
      own.cases += 1;
      own.found += Number(here.length > 0);
      own.byFlow += Number(here.some(({ rules }) => rules.some((rule) => rule.startsWith('dataflow/'))));
      own.findings += findings.length;
      own.added += added;
      if (here.length === 0) show(`MISSED ${name} ${each} ${sink.file}:${sink.line}`);
    }
    lines.push(rowOf(name, own));
    for (const key of Object.keys(all) as (keyof typeof all)[]) all[key] += own[key];
  }
  return [...lines, rowOf('**all**', all)];
}

function rowOf(
  name: string,
  {
    cases,
    found,
    byFlow,
    findings,
    added,
  }: Record<'cases' | 'found' | 'byFlow' | 'findings' | 'added', number>,
): string {
  return `| ${name} | ${found} of ${cases} | ${percent(found, cases)} | ${byFlow} | ${((1000 * findings) / (added || 1)).toFixed(1)} |`;
}

/** Where the hole is; null where the set does not say, or the package is not here. */
function sinkOf(folder: string): { readonly file: string; readonly line: number } | null {
  const { sink } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { sink?: string };
  const found = /^(?:.*node_modules\/[^/]+\/)?(?:\.?\/)?(.+?):(\d+)/.exec(
    typeof sink === 'string' ? sink : '',
  );
  if (found === null) return null;
  const file = path.join(folder, 'package', found[1]!);
  return existsSync(file) && statSync(file).isFile() ? { file: found[1]!, line: Number(found[2]) } : null;
}
