// Reviews the last changes of public repositories by rules alone and prints every finding, for manual review:
// node bench/review-histories.ts 60 path/to/a.git path/to/b.git
import { readChange } from '../src/reviewer/change/read-change.ts';
import { defaultConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { runGit } from '../src/reviewer/repository/run-git.ts';
import { allRuleSources } from '../src/reviewer/rules/all-sources.ts';
import { reviewHere } from '../test/review-here.ts';

const [count = '50', ...folders] = process.argv.slice(2);
const searchPath = process.env.PATH;
const sources = allRuleSources({ searchPath });
const signal = AbortSignal.timeout(3_600_000);
const write = (text: string) => process.stdout.write(`${text}\n`);

for (const folder of folders) {
  const repository = await openRepository(folder, { searchPath });
  const listed = await runGit(
    ['rev-list', '--first-parent', `--max-count=${count}`, '--parents', 'HEAD', '--'],
    repository.call,
  );
  const ranges = listed
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter((line) => line.length > 1);
  const times: number[] = [];
  let lines = 0;
  let findings = 0;
  for (const [head, base] of ranges) {
    const started = performance.now();
    const change = await readChange(repository, { base: base!, head: head! }).catch(() => undefined);
    if (change === undefined) continue; // a snapshot may lack large files
    const result = await reviewHere({ change, configuration: defaultConfiguration, sources, signal });
    await change.close();
    times.push(performance.now() - started);
    lines += change.files.reduce((sum, file) => sum + file.addedLines.size, 0);
    if (result.status === 'degraded') write(`DEGRADED ${head} ${result.reason}`);
    for (const finding of [...result.findings, ...result.overflow]) {
      findings += 1;
      const place = `${finding.path}:${finding.startLine}${finding.isInDiff ? '' : ' (outside)'}`;
      write(
        `${head!.slice(0, 10)} ${place} ${finding.severity} ${finding.source.name} [${finding.symbol}] ${finding.title}\n    ${finding.quote.trim().slice(0, 160)}\n    ${finding.body.slice(0, 160)}`,
      );
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  write(
    `== ${folder}: ${ranges.length} changes, ${lines} added lines, ${findings} findings, median ${at(0.5)} ms, p95 ${at(0.95)} ms`,
  );
  await repository.close();
}
