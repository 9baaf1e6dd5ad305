import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/database.ts';
import { prepareCluster, spawnOn } from '../src/db/embedded/cluster-folder.ts';
import { settingsArguments } from '../src/db/embedded/postgres-settings.ts';
import { patience } from './patience.ts';
import { removeFolder } from './remove-folder.ts';
import { selfSigned } from './self-signed.ts';
import { freePorts } from './tcp-proxy.ts';

/** A PostgreSQL with `ssl = on` on the loopback interface. */
export interface TlsPostgres {
  readonly port: number;
  /** The file with its self-signed certificate for `localhost`. */
  readonly authorities: string;
  /** The files of a client certificate for the user `certified`, who cannot sign in otherwise. */
  readonly certificate: string;
  readonly key: string;
  /** The URL of the database `postgres`; the user `postil` may do everything, with and without TLS. */
  url(query: string, host?: string, user?: string): string;
  close(): Promise<void>;
}

const whoMayConnect = `
local all all trust
hostssl all certified all cert
hostssl all encrypted all trust
host all postil all trust
`;

export async function startTlsPostgres(): Promise<TlsPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'postil-tls-'));
  await chmod(home, 0o711); // the account that PostgreSQL runs as must get to its files
  await mkdir(path.join(home, 'data'), { mode: 0o711 });
  const cluster = await prepareCluster(path.join(home, 'data'), false);
  const ofPostgres = async (name: string, text: string) => {
    const file = path.join(cluster.folder, name);
    await writeFile(file, text, { mode: 0o600 });
    const { uid, gid } = cluster.account;
    if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
    return file;
  };
  const ours = async (name: string, text: string) => {
    const file = path.join(home, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const server = selfSigned('localhost');
  const client = selfSigned('certified');
  await ofPostgres('pg_hba.conf', whoMayConnect);
  await ofPostgres('server.crt', server.cert);
  await ofPostgres('server.key', server.key);
  await ofPostgres('clients.crt', client.cert);
  const [port] = (await freePorts(1)) as [number];
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    ssl: 'on',
    ssl_cert_file: 'server.crt',
    ssl_key_file: 'server.key',
    ssl_ca_file: 'clients.crt',
  };
  // These override earlier arguments with the same setting.
  const own = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = await spawnOn(
    cluster,
    cluster.binaries.postgres,
    [...settingsArguments(false), ...own],
    'SIGINT',
  );
  const local = { socketDirectory: cluster.folder, port, user: 'postil', database: 'postgres' };
  const database = openDatabase(local, { maxConnections: 2, ...patience });
  const isUp = () =>
    database.ping().then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await sleep(20);
  for (const user of ['certified', 'encrypted'])
    await database.sql.unsafe(`CREATE ROLE ${user} SUPERUSER LOGIN`);
  await database.close();
  return {
    port,
    authorities: await ours('server-ca.crt', server.cert),
    certificate: await ours('client.crt', client.cert),
    key: await ours('client.key', client.key),
    url: (query, host = 'localhost', user = 'postil') =>
      `postgres://${user}@${host}:${port}/postgres?${query}`,
    async close() {
      program.child.kill('SIGINT');
      await program.ended;
      await removeFolder(home);
    },
  };
}
