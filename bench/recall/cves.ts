import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readChange } from '../../src/reviewer/change/read-change.ts';
import { openRepository, type RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import { askRules, isAt, percent } from './ask-rules.ts';

interface Case {
  readonly CVE: string;
  readonly repository: string;
  readonly prePatch: {
    readonly commit: string;
    readonly weaknesses: readonly { readonly location: { readonly file: string; readonly line: number } }[];
  };
  readonly postPatch: { readonly commit: string };
}

/** Fixed holes that are put back by turning the fix around; and the fix as it was, on which nothing should be said there. */
export async function measureCves(
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
): Promise<string[]> {
  const cases = readdirSync(path.join(folder, 'ossf-cve-benchmark', 'CVEs'))
    .filter((name) => isWanted(Number(/(\d+)\.json$/.exec(name)?.[1])))
    .map(
      (name) =>
        JSON.parse(readFileSync(path.join(folder, 'ossf-cve-benchmark', 'CVEs', name), 'utf8')) as Case,
    );
  const sum = { cases: 0, found: 0, controls: 0, findings: 0, added: 0 };
  for (const { CVE, repository, prePatch, postPatch } of cases) {
    const [, owner, name] = /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(repository) ?? [];
    const place = path.join(folder, 'repositories', `${owner}+${name}.git`);
    if (!existsSync(place)) continue;
    const opened = await openRepository(place, { searchPath: process.env.PATH });
    try {
      const back = await said(opened, postPatch.commit, prePatch.commit);
      const control = await said(opened, prePatch.commit, postPatch.commit);
      const isHere = (findings: typeof back.findings) =>
        findings.some((finding) =>
          prePatch.weaknesses.some(({ location }) => isAt(finding, location.file, location.line)),
        );
      sum.cases += 1;
      sum.found += Number(isHere(back.findings));
      sum.controls += Number(isHere(control.findings));
      sum.findings += back.findings.length;
      sum.added += back.added;
      if (!isHere(back.findings))
        show(
          `MISSED ${CVE} ${prePatch.weaknesses.map(({ location }) => `${location.file}:${location.line}`).join(' ')}`,
        );
    } catch (error) {
      show(`LEFT OUT ${CVE}: ${(error as Error).message.slice(0, 100)}`);
    } finally {
      await opened.close();
    }
  }
  return [
    `${sum.found} of ${sum.cases} at the place (${percent(sum.found, sum.cases)}), ${((1000 * sum.findings) / (sum.added || 1)).toFixed(1)} findings per 1,000 lines; on the fix itself ${sum.controls} of ${sum.cases} at the place.`,
  ];
}

async function said(repository: RepositoryPlace, base: string, head: string) {
  const change = await readChange(repository, { base, head });
  try {
    return await askRules(change);
  } finally {
    await change.close();
  }
}
