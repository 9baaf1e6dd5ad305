// Reviews the last changes of public repositories with all rules, like a server, and prints all findings, to be judged by people:
// node bench/review-histories.ts 60 path/to/a.git path/to/b.git
import { defaultConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import { partsOf } from '../src/reviewer/process/part.ts';
import { workHere } from '../src/reviewer/process/run-here.ts';
import { openRepository, placeOf } from '../src/reviewer/repository/repository.ts';
import { runGit } from '../src/reviewer/repository/run-git.ts';
import { reviewChange } from '../src/reviewer/review/review-change.ts';
import { allRuleSources } from '../src/reviewer/rules/all-sources.ts';

const [count = '50', ...folders] = process.argv.slice(2);
const searchPath = process.env.PATH;
const sources = allRuleSources({ searchPath });
const maxMs = 120_000;
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
  let findings = 0;
  for (const [head, base] of ranges) {
    const started = performance.now();
    const signal = AbortSignal.timeout(maxMs);
    const processes = workHere(async () => sources);
    const result = await reviewChange({
      change: { kind: 'commits', repository: placeOf(repository), base: base!, head: head! },
      configuration: defaultConfiguration,
      own: { astGrepRules: [], searchPath },
      run: partsOf(processes, { group: 'bench', signal }),
      signal,
    }).catch((error: Error) => error);
    await processes.stop();
    if (result instanceof Error) {
      write(`LEFT OUT ${head} ${result.message.slice(0, 200)}`); // a snapshot may lack large files
      continue;
    }
    times.push(performance.now() - started);
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
    `== ${folder}: ${times.length} of ${ranges.length} changes, ${findings} findings, median ${at(0.5)} ms, p95 ${at(0.95)} ms`,
  );
  await repository.close();
}
