import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { printNote } from '../src/cli/output.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { platformDocument } from './metrics/data-set.ts';
import { type Callers, inTurns, throughput, warmUp } from './metrics/load.ts';
import { table } from './metrics/report.ts';
import { ownOptions, type ServerProcess, startProcess, startServer } from './metrics/server-process.ts';
import { installPeers } from './peers/install.ts';
import { postgresCpu } from './small-get/postgres-cpu.ts';

const options = new Command('npm run bench:small-get --')
  .description('Measures GET /v1/organizations against Fastify + Drizzle on the same database, in turns.')
  .option('--seconds <seconds>', 'how long each server is measured in each turn', Number, 1)
  .option('--turns <count>', 'how many turns', Number, 15)
  .option(
    '--warm-up <requests>',
    'how many requests each server answers before it is measured',
    Number,
    20_000,
  )
  .parse()
  .opts<{ seconds: number; turns: number; warmUp: number }>();

const goal = 1.5;
const directory = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const undo: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
endOnSignals();
try {
  const peers = await installPeers();
  if (peers === undefined) throw new Error('there is nothing to compare with');
  undo.push(() => peers.remove());
  const data = path.join(directory, 'data');
  const postgres = await startEmbeddedPostgres({ directory: data });
  undo.push(() => postgres.stop());
  const { user, socketDirectory, port, database } = postgres.target;
  const environment = {
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(socketDirectory)}:${port}/${database}`,
    POSTIL_DATA_DIR: path.join(directory, 'server'),
  };
  // The first start migrates the database.
  await (await startServer(environment)).stop();
  const own = await startProcess('bench/small-get/unlimited-server.ts', environment, ownOptions);
  undo.push(() => own.stop());
  const peer = await startProcess(peers.server, environment);
  undo.push(() => peer.stop());

  await own.operator('PUT', '/platform', platformDocument());
  const keys: string[] = [];
  for (let index = 0; index < 50; index += 1) {
    const request = { kind: 'organization', name: 'bench', provider: 'github', owner: '1' };
    keys.push((await own.operator('POST', '/keys', { ...request, org_id: `shared-${index}` })).value);
  }

  const urlOf = (server: ServerProcess) => `${server.url}/v1/organizations`;
  printNote('Warming up');
  for (const server of [own, peer]) await warmUp(urlOf(server), keys[0]!, options.warmUp);
  const rows: string[][] = [];
  const compare = async (what: string, who: Callers) => {
    const cpu = { own: { node: 0, postgres: 0, answers: 0 }, peer: { node: 0, postgres: 0, answers: 0 } };
    const measure = (name: 'own' | 'peer', server: ServerProcess) => async () => {
      const before = [await server.cpuSeconds(), await postgresCpu(data)] as const;
      const { answers, perSecond } = await throughput(urlOf(server), who, options.seconds);
      cpu[name].node += (await server.cpuSeconds()) - before[0];
      cpu[name].postgres += (await postgresCpu(data)) - before[1];
      cpu[name].answers += answers;
      return perSecond;
    };
    const turns = await inTurns({ own: measure('own', own), peer: measure('peer', peer) }, options.turns);
    const ratio = turns.ratio('own', 'peer');
    const costs = (name: 'own' | 'peer') => {
      const { node, postgres: database, answers } = cpu[name];
      const ms = (seconds: number) => ((seconds / answers) * 1000).toFixed(2);
      return `${turns.medians[name].toFixed(0)}/s (${ms(node)} + ${ms(database)} ms of processor)`;
    };
    rows.push([
      what,
      `≥ ${goal} ×`,
      costs('own'),
      costs('peer'),
      `${ratio.toFixed(2)} ×`,
      ratio >= goal ? 'yes' : '**no**',
    ]);
    printNote(rows.at(-1)!.join(' | '));
  };
  const [first] = keys as [string];
  for (const connections of [4, 10, 20, 50]) {
    await compare(`one key, ${connections} connections`, { keys: [first], connections });
    await compare(`${connections} keys, ${connections} connections`, {
      keys: keys.slice(0, connections),
      connections,
    });
  }
  process.stdout.write(
    `\n${table(['GET /v1/organizations', 'Goal', 'Postil', 'Fastify + Drizzle', 'Ratio', 'Reached'], rows)}\n`,
  );
} finally {
  for (const step of undo.toReversed()) await step();
}
