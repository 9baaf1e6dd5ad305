import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { checkAll } from './checks.ts';
import { startCluster, withDatabase } from './cluster.ts';
import { startEmbeddings } from './embeddings.ts';
import type { Node } from './nodes.ts';
import { createDatabase, fillPlatform, startNodes } from './platform.ts';
import { CannotRun, preparePrograms } from './programs.ts';
import { printTable, type RoundResult } from './results.ts';
import { faults, playRound } from './rounds.ts';
import { startWriters, type Writers } from './writers.ts';

const help = `npm run test:failover [-- --rounds N] [--only FAULT]

Starts PostgreSQL three times under Patroni, with etcd, HAProxy and PgBouncer, and two nodes of Postil; writes through both of
them; and lets the primary fail, N times (30 by default), in turn: ${Object.keys(faults).join(', ')}. In the last third of the
rounds one node goes through PgBouncer. Fails if anything that was acknowledged is lost or stored twice.
The programs are downloaded from the package source of this machine (Debian 12) into node_modules/.cache.
`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function playAll(rounds: number, only: string | undefined): Promise<RoundResult[]> {
  const programs = await preparePrograms(say);
  say('starting etcd, three PostgreSQL under Patroni, HAProxy and PgBouncer');
  const cluster = await startCluster(programs);
  const receiver = await startWebhookReceiver();
  const embeddings = await startEmbeddings();
  const results: RoundResult[] = [];
  const kinds = Object.keys(faults).filter((name) => only === undefined || name === only);
  const isPooledRound = (round: number) => round >= Math.ceil((rounds * 2) / 3);
  let nodes: Node[] = [];
  let writers: Writers | undefined;
  try {
    await createDatabase(cluster);
    nodes = await startNodes(cluster, embeddings.url, isPooledRound(0));
    const organizations = await fillPlatform(nodes[1]!, receiver.url);
    writers = startWriters(nodes, organizations);
    const orderBefore: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0 && isPooledRound(round) && !isPooledRound(round - 1)) {
        await writers.pause();
        await Promise.all(nodes.map((node) => node.stop()));
        nodes = await startNodes(cluster, embeddings.url, true);
        writers.use(nodes);
        writers.resume();
      }
      const fault = kinds[round % kinds.length]!;
      const played = await playRound(cluster, fault, nodes, writers);
      await writers.pause();
      const primary = await cluster.settle();
      const database = openDatabase(
        { url: withDatabase(`127.0.0.1:${primary.port}`) },
        { maxConnections: 4, applicationName: 'check' },
      );
      const checked = {
        primary: database,
        nodes,
        organizations,
        written: writers.written,
        receiver,
        orderBefore,
      };
      const verdict = await checkAll(checked).finally(database.close);
      const { acknowledged, refused, others } = writers.tally;
      const way = nodes[0]!.name;
      results.push({ fault, way, acknowledged, refused, others: [...others], ...verdict, ...played });
      writers.resume();
      sayRound(round, rounds, results.at(-1)!);
    }
    return results;
  } finally {
    await writers?.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await receiver.close();
    embeddings.close();
    await cluster.close();
  }
}

function sayRound(round: number, rounds: number, result: RoundResult): void {
  const { fault, way, acknowledged, refused, outageMs, wayMs, recoveryMs } = result;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  say(
    `round ${round + 1} of ${rounds}: ${fault} (${way} and hosts): new primary after ${seconds(outageMs)}, ways after ${wayMs.map(seconds).join(' and ')}, nodes after ${recoveryMs.map(seconds).join(' and ')} more; ${acknowledged} acknowledged, ${refused} refused`,
  );
  for (const kind of ['lost', 'repeated', 'others', 'staying'] as const)
    for (const line of result[kind].slice(0, 8)) say(`  ${kind}: ${line}`);
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const rounds = Number(values.rounds);
if (values.help) say(help);
else if (
  !(Number.isInteger(rounds) && rounds > 0) ||
  (values.only !== undefined && !(values.only in faults))
) {
  say(help);
  process.exitCode = 2;
} else {
  try {
    const results = await playAll(rounds, values.only);
    printTable(results, say);
    const isGood = results.every(({ lost, repeated, others, staying }) =>
      [lost, repeated, others, staying].every(({ length }) => length === 0),
    );
    if (!isGood) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    say(`SKIPPED: ${error.message}`);
  }
}
