import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTest } from '../../src/reviewer/change/file-kinds.ts';
import { readChange } from '../../src/reviewer/change/read-change.ts';
import { openRepository, type RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import { runGit } from '../../src/reviewer/repository/run-git.ts';
import { Score, scoreHead } from './ask-rules.ts';
import type { Tool } from './other-tools.ts';

interface Advisory {
  readonly id: string;
  readonly summary?: string;
  readonly references?: readonly { readonly url: string }[];
}

/** The vulnerabilities that rules could find; most advisories are about missing authorization. */
const classes: readonly (readonly [RegExp, string])[] = [
  [/sql injection/i, 'sql-injection'],
  [/command injection|code execution|command execution/i, 'command-injection'],
  [/traversal|arbitrary file|zip slip/i, 'path-traversal'],
  [/ssrf|request forgery/i, 'request-forgery'],
  [/xss|cross-site scripting|html injection/i, 'html-injection'],
  [/redirect/i, 'open-redirect'],
];
const maxFiles = 15;

/** Reverses fixes in Go projects from the Go vulnerability database: is anything reported in a file that the fix changes? */
export async function measureGoFixes(
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
  tools: readonly Tool[],
): Promise<string[]> {
  const root = path.join(folder, 'vulndb', 'data', 'osv');
  const byClass = new Map<string, Score>();
  const all = new Score();
  const seen = new Set<string>();
  for (const name of readdirSync(root).sort()) {
    if (!isWanted(Number(/(\d+)\.json$/.exec(name)?.[1]))) continue;
    const advisory = JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Advisory;
    const about = classes.find(([words]) => words.test(advisory.summary ?? ''))?.[1];
    for (const { url } of about === undefined ? [] : (advisory.references ?? [])) {
      const [, owner, project, fix] = /github\.com\/([^/]+)\/([^/]+)\/commit\/([\da-f]{40})/.exec(url) ?? [];
      const place = path.join(folder, 'repositories', `${owner}+${project}.git`);
      if (fix === undefined || seen.has(fix) || !existsSync(place)) continue;
      seen.add(fix);
      const repository = await openRepository(place, { searchPath: process.env.PATH });
      try {
        const before = (await runGit(['rev-parse', '--verify', `${fix}^1`], repository.call))
          .toString()
          .trim();
        const back = await asked(tools[0]!, repository, fix, before);
        const control = await asked(tools[0]!, repository, before, fix);
        if (back === null || control === null) continue;
        const isFound = back.findings.length > 0;
        const ofClass = byClass.get(about!) ?? new Score();
        byClass.set(about!, ofClass);
        for (const score of [all, ofClass]) score.add(isFound, back, control.findings.length > 0);
        for (const { path: file, startLine, rules } of back.findings)
          show(`SAID ${advisory.id} ${file}:${startLine} ${rules}`);
        if (!isFound) show(`MISSED ${advisory.id} ${about} ${owner}/${project} ${fix}`);
      } catch (error) {
        show(`LEFT OUT ${advisory.id}: ${(error as Error).message.slice(0, 100)}`);
      } finally {
        await repository.close();
      }
    }
  }
  return [
    ...scoreHead,
    ...[...byClass].sort().map(([name, score]) => score.row(name)),
    all.row('**Postil**'),
  ];
}

/** The findings in the Go code of a change; null if it changes no Go code, or too much to be only a fix. */
async function asked(tool: Tool, repository: RepositoryPlace, base: string, head: string) {
  const change = await readChange(repository, { base, head });
  try {
    const code = change.files.filter((file) => /\.go$/.test(file.path) && !isTest(file.path));
    return code.length === 0 || code.length > maxFiles ? null : await tool.ask({ ...change, files: code });
  } finally {
    await change.close();
  }
}
