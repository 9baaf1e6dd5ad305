import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { changeOf, type Versions } from '../../test/change-of-versions.ts';
import { isAt, Score, scoreHead } from './ask-rules.ts';
import type { Tool } from './other-tools.ts';

const classes = ['code-injection', 'command-injection', 'path-traversal', 'prototype-pollution', 'redos'];
const maxFiles = 300;
const maxLength = 400_000;

/** The code files of a package, without its dependencies and tests. */
function codeOf(folder: string, at = ''): string[] {
  return readdirSync(path.join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(at, entry.name);
    if (entry.isDirectory())
      return /^(?:node_modules|test|tests|\.git)$/.test(entry.name) ? [] : codeOf(folder, file);
    const isCode = /\.[cm]?[jt]sx?$/.test(entry.name) && statSync(path.join(folder, file)).size < maxLength;
    return isCode ? [file] : [];
  });
}

/** Packages with a known vulnerability, each as a change that adds the package: is anything reported within three lines of it? */
export async function measureSecBench(
  folder: string,
  isWanted: (number: number) => boolean,
  show: (text: string) => void,
  tools: readonly Tool[],
): Promise<string[]> {
  const byTool = new Map(tools.map(({ name }) => [name, new Score()]));
  const lines = [...scoreHead];
  for (const name of classes) {
    const own = new Score();
    const root = path.join(folder, 'SecBench.js', name);
    const cases = readdirSync(root).filter((each) => existsSync(path.join(root, each, 'package.json')));
    for (const [index, each] of cases.sort().entries()) {
      const sink = isWanted(index + 1) ? sinkOf(path.join(root, each)) : null;
      if (sink === null) continue;
      const code = codeOf(path.join(root, each, 'package')).slice(0, maxFiles);
      const versions: Versions = Object.fromEntries(
        code.map((file) => [file, [null, readFileSync(path.join(root, each, 'package', file), 'utf8')]]),
      );
      const change = changeOf(versions);
      for (const [at, tool] of tools.entries()) {
        const asked = await tool.ask(change);
        const isFound = asked.findings.some((finding) => isAt(finding, sink.file, sink.line));
        byTool.get(tool.name)!.add(isFound, asked);
        if (at > 0) continue;
        own.add(isFound, asked);
        if (!isFound) show(`MISSED ${name} ${each} ${sink.file}:${sink.line}`);
      }
    }
    lines.push(own.row(name));
  }
  return [...lines, ...[...byTool].map(([name, score]) => score.row(`**${name}**`))];
}

/** The location of the vulnerability; null if the set does not contain it, or the package is not available. */
function sinkOf(folder: string): { readonly file: string; readonly line: number } | null {
  const { sink } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { sink?: string };
  const found = /^(?:.*node_modules\/[^/]+\/)?(?:\.?\/)?(.+?):(\d+)/.exec(
    typeof sink === 'string' ? sink : '',
  );
  if (found === null) return null;
  const file = path.join(folder, 'package', found[1]!);
  return existsSync(file) && statSync(file).isFile() ? { file: found[1]!, line: Number(found[2]) } : null;
}
