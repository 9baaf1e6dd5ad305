import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readChange } from '../../src/reviewer/change/read-change.ts';
import { openRepository, type RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import { type Asked, isAt, type Said, Score, scoreHead } from './ask-rules.ts';
import type { Tool } from './other-tools.ts';

interface Case {
  readonly CVE: string;
  readonly repository: string;
  readonly prePatch: {
    readonly commit: string;
    readonly weaknesses: readonly { readonly location: { readonly file: string; readonly line: number } }[];
  };
  readonly postPatch: { readonly commit: string };
  readonly CWEs: readonly string[];
}

/** The classes of cases. The first that matches is used, since many cases have several CWEs. */
const classes: readonly (readonly [RegExp, string])[] = [
  [/915|1321/, 'property-injection'],
  [/^(?:78|88)$/, 'command-injection'],
  [/^79$/, 'html-injection'],
  [/^(?:94|95)$/, 'code-injection'],
  [/^(?:22|23)$/, 'path-traversal'],
  [/^(?:730|1333)$/, 'slow-regex'],
  [/^(?:89|943)$/, 'sql-injection'],
  [/^(?:601|918)$/, 'addresses'],
];

function classOf({ CWEs }: Case): string {
  const numbers = CWEs.map((name) => String(Number(/\d+/.exec(name)?.[0])));
  return classes.find(([fits]) => numbers.some((number) => fits.test(number)))?.[1] ?? 'others';
}

/** Reintroduces fixed vulnerabilities by reversing the fix, and also reviews the fix itself, where nothing should be reported. */
export async function measureCves(
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
  tools: readonly Tool[],
): Promise<string[]> {
  const cases = readdirSync(path.join(folder, 'ossf-cve-benchmark', 'CVEs'))
    .filter((name) => isWanted(Number(/(\d+)\.json$/.exec(name)?.[1])))
    .map(
      (name) =>
        JSON.parse(readFileSync(path.join(folder, 'ossf-cve-benchmark', 'CVEs', name), 'utf8')) as Case,
    );
  const byTool = new Map(tools.map(({ name }) => [name, new Score()]));
  const byClass = new Map<string, Score>();
  for (const each of cases) {
    const { CVE, repository, prePatch, postPatch } = each;
    const [, owner, name] = /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository) ?? [];
    const place = path.join(folder, 'repositories', `${owner}+${name}.git`);
    if (!existsSync(place)) continue;
    const isHere = (findings: readonly Said[]) =>
      findings.some((finding) =>
        prePatch.weaknesses.some(({ location }) => isAt(finding, location.file, location.line)),
      );
    const opened = await openRepository(place, { searchPath: process.env.PATH });
    try {
      for (const [index, tool] of tools.entries()) {
        const back = await said(tool, opened, postPatch.commit, prePatch.commit);
        const control = await said(tool, opened, prePatch.commit, postPatch.commit);
        byTool.get(tool.name)!.add(isHere(back.findings), back, isHere(control.findings));
        if (index > 0) continue;
        const ofClass = byClass.get(classOf(each)) ?? new Score();
        ofClass.add(isHere(back.findings), back, isHere(control.findings));
        byClass.set(classOf(each), ofClass);
        for (const finding of back.findings)
          show(`SAID ${CVE} ${finding.path}:${finding.startLine} ${finding.rules}`);
        const places = prePatch.weaknesses.map(({ location }) => `${location.file}:${location.line}`);
        if (!isHere(back.findings)) show(`MISSED ${CVE} ${classOf(each)} ${places.join(' ')}`);
      }
    } catch (error) {
      show(`LEFT OUT ${CVE}: ${(error as Error).message.slice(0, 100)}`);
    } finally {
      await opened.close();
    }
  }
  return [
    ...scoreHead,
    ...[...byClass].sort().map(([name, score]) => score.row(name)),
    ...[...byTool].map(([name, score]) => score.row(`**${name}**`)),
  ];
}

async function said(tool: Tool, repository: RepositoryPlace, base: string, head: string): Promise<Asked> {
  const change = await readChange(repository, { base, head });
  try {
    return await tool.ask(change);
  } finally {
    await change.close();
  }
}
