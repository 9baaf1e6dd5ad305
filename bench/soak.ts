// Simulates a week of a company of 2,000 people and 300 repositories in an hour: everything that a server must not accumulate has
// to be constant at the end. The server is a process of its own; a double of Gitea with real repositories, receivers of webhooks
// and mail, and all people run in this process.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import cliProgress from 'cli-progress';
import { Command } from 'commander';
import { endOnSignals } from '../src/stop-signals.ts';
import { machine } from './metrics/report.ts';
import { startCompany } from './soak/company.ts';
import { type Installation, startInstallation } from './soak/installation.ts';
import { type Pace, startPace } from './soak/pace.ts';
import { doingsOf } from './soak/people.ts';
import { judge, showLatencies, showVerdicts } from './soak/report.ts';
import { type Sample, takeSample } from './soak/samples.ts';
import { kinds, week, weekMs } from './soak/week.ts';

const { minutes, sampleSeconds, out } = new Command('npm run bench:soak --')
  .description(
    'Lets a week of a company of 2,000 people and 300 repositories pass in an hour, and fails unless memory, connections, files, dead rows and queues are flat at the end.',
  )
  .option('--minutes <minutes>', 'how long; a shorter time is that part of the week', Number, 60)
  .option('--sample-seconds <seconds>', 'how often to measure', Number, 10)
  .option('--out <file>', 'where to write all samples as JSON')
  .parse()
  .opts<{ minutes: number; sampleSeconds: number; out?: string }>();

const say = (text: string) => process.stdout.write(`${text}\n`);
/** Timeout for the remaining work at the end: on a busy machine some reviews are still waiting. */
const drainMs = 300_000;

async function runLoad(installation: Installation, pace: Pace, samples: Sample[]): Promise<void> {
  const bar = new cliProgress.SingleBar({
    format:
      '{bar} {percentage} % of {span}: {changes} changes, {reviews} reviews not done, server {memory} MB, load {load}',
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 60_000,
  });
  const begin = performance.now();
  const length = minutes * 60_000;
  bar.start(length, 0, { span: `${minutes} min`, changes: 0, reviews: 0, memory: 0, load: 0 });
  try {
    while (performance.now() - begin < length) {
      const sample = await takeSample(installation, changesOf(pace));
      samples.push(sample);
      bar.update(Math.min(length, performance.now() - begin), {
        changes: sample.changes,
        reviews: sample.figures['reviews that are not done'],
        memory: sample.figures['memory of the server, MB']!.toFixed(0),
        load: sample.load.toFixed(1),
      });
      await sleep(sampleSeconds * 1_000);
    }
  } finally {
    bar.stop();
  }
}

const changesOf = ({ done }: Pace) => kinds.reduce((sum, kind) => sum + done[kind], 0);
const queues = [
  'deliveries of the host that wait',
  'webhooks that wait',
  'mails that wait',
  'reviews that are not done',
  'units of work that are due',
];

/** Waits until nothing is left to do; returns what is left after the timeout. */
async function drain(installation: Installation): Promise<string[]> {
  const deadline = performance.now() + drainMs;
  for (;;) {
    const { figures } = await takeSample(installation, 0);
    const left = queues.filter((queue) => figures[queue]! > 0).map((queue) => `${queue}: ${figures[queue]}`);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(2_000);
  }
}

async function readOutcome({ database: { sql }, server }: Installation) {
  const runs = await sql<{ status: string; count: number; seconds: number | null }[]>`
    SELECT status, count(*)::int, (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)))::float8 AS seconds
    FROM review_runs GROUP BY 1 ORDER BY 2 DESC`;
  const [failed] = await sql<
    { units: number; hooks: number; webhooks: number; audit: number; deliveries: number }[]
  >`
    SELECT (SELECT count(*)::int FROM work.job WHERE state = 'failed') AS units,
      (SELECT count(*)::int FROM hook_deliveries WHERE status = 'failed') AS hooks,
      (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'failed') AS webhooks,
      (SELECT count(*)::int FROM audit_entries) AS audit,
      (SELECT count(*)::int FROM webhook_deliveries) AS deliveries`;
  const audit = await server.operator('GET', '/audit/verification');
  return { runs, failed: failed!, audit };
}

endOnSignals();
const folder = await mkdtemp(path.join(tmpdir(), 'postil-soak-'));
const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const company = await startCompany(path.join(folder, 'host'));
  undo.push(() => company.host.stop());
  const installation = await startInstallation(folder, company);
  undo.push(installation.stop);
  say('The company is connected; the week begins.');
  const samples: Sample[] = [];
  const begin = performance.now();
  const cpuBefore = await installation.server.cpuSeconds();
  const pace = startPace(
    doingsOf(installation, company),
    () => samples.at(-1)?.figures['reviews that are not done'] ?? 0,
  );
  const received = { webhooks: 0, mails: 0 };
  const counting = setInterval(() => {
    const { webhooks, mails } = installation.takeReceived();
    received.webhooks += webhooks;
    received.mails += mails;
    company.host.requests.length = 0;
  }, 5_000);
  undo.push(async () => clearInterval(counting));
  await runLoad(installation, pace, samples);
  const loadEnd = performance.now();
  await pace.stop();
  const cpuSeconds = (await installation.server.cpuSeconds()) - cpuBefore;
  const left = await drain(installation);
  const files = await readdir(installation.folders.temporary);
  const { runs, failed, audit } = await readOutcome(installation);
  const { verdicts, swollen } = judge(samples);
  const { refused } = installation.calls;
  if (out !== undefined) await writeFile(out, JSON.stringify({ samples, done: pace.done, runs }));
  const loads = samples.map(({ load }) => load).sort((a, b) => a - b);
  const end = samples.at(-1)!;
  say(showVerdicts(verdicts));
  say(`\n${showLatencies(installation.calls, begin, loadEnd)}\n`);
  say(
    kinds
      .map((kind) => `${kind}: ${pace.done[kind]} of ${Math.round((week[kind] * minutes * 60_000) / weekMs)}`)
      .join('\n'),
  );
  say(
    `reviews: ${runs.map(({ status, count, seconds }) => `${count} ${status} (median ${seconds?.toFixed(1)} s)`).join(', ')}`,
  );
  say(
    `received by others: ${received.webhooks} webhooks, ${received.mails} mails; ${failed.audit} audit entries, ${failed.deliveries} webhook deliveries kept`,
  );
  say(`temporary files at the end: ${files.join(', ')}`);
  say(
    `database ${end.databaseMegabytes.toFixed(0)} MB, data folder ${end.dataMegabytes.toFixed(0)} MB, WAL ${end.walMegabytes.toFixed(0)} MB at the end`,
  );
  say(
    `processor time of the server ${cpuSeconds.toFixed(0)} s; load average ${loads[0]!.toFixed(1)} to ${loads.at(-1)!.toFixed(1)}, median ${loads[loads.length >> 1]!.toFixed(1)}; held back for ${(pace.heldBackMs / 1_000).toFixed(0)} s`,
  );
  say(`${machine()}; audit: ${JSON.stringify(audit)}`);
  const faults = [
    ...verdicts.filter(({ isFlat }) => !isFlat).map(({ what }) => `not flat: ${what}`),
    ...swollen.map((fault) => `swollen: ${fault}`),
    ...left.map((rest) => `left over: ${rest}`),
    ...[...refused].map(([what, count]) => `refused ${count} times: ${what}`),
    ...(failed.units + failed.hooks + failed.webhooks > 0 ? [`failed: ${JSON.stringify(failed)}`] : []),
  ];
  say(faults.length === 0 ? 'Everything is flat.' : faults.join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  for (const step of undo.toReversed()) await step();
}
