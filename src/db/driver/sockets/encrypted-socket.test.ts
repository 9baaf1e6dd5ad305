import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import postgres from 'postgres';
import { type DatabaseProxy, openDatabaseProxy } from '../../../../test/database-proxy.ts';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import { selfSigned } from '../../../../test/self-signed.ts';
import { openTlsFront, type TlsFront } from '../../../../test/tls-front.ts';
import { openClient } from '../open-client.ts';
import { isUnavailable } from '../unavailable.ts';
import { openEncrypted } from './encrypted-socket.ts';

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

describe('a database reached over TLS', async () => {
  const { target, drop } = await createTestDatabase({ empty: true });
  after(drop);
  let proxy: DatabaseProxy;
  let front: TlsFront;
  beforeEach(async () => {
    proxy = await openDatabaseProxy(target);
    front = await openTlsFront(proxy.target);
  });
  afterEach(async () => {
    await front.close();
    await proxy.close();
  });

  async function ask(mode: string, host?: string): Promise<void> {
    const sql = openClient({ url: front.url(mode, host) }, { max: 1, applicationName: 'test', ...patience });
    await sql`select 1`.finally(() => sql.end({ timeout: 0 }));
  }

  test('is encrypted in the modes that do not verify its certificate, too', async () => {
    for (const mode of ['require', 'prefer', 'allow']) await ask(mode);
    assert.equal(front.encrypted, 3);
  });

  test('that does not offer TLS is used without it only if the mode allows that', async () => {
    front.refuse();
    for (const mode of ['prefer', 'allow']) await ask(mode);
    assert.equal(front.encrypted, 0);
    await assert.rejects(ask('require'), (error: Error) => {
      assert.match(error.message, /does not offer TLS.*require/);
      return isUnavailable(error);
    });
  });

  test('must have a certificate that is trusted and names it if the mode is "verify-full"', async () => {
    await assert.rejects(ask('verify-full', 'localhost'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const usual = tls.getCACertificates('default');
    tls.setDefaultCACertificates([front.certificate]);
    try {
      await ask('verify-full', 'localhost');
      await assert.rejects(ask('verify-full', '127.0.0.1'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    } finally {
      tls.setDefaultCACertificates(usual);
    }
  });

  test('loses its listeners if postgres.js encrypts the socket, which is why we do', async () => {
    let raw: net.Socket | undefined;
    const socket = ({ host, port }: { host: string[]; port: number[] }) => {
      raw = net.connect({ host: host[0]!, port: port[0]! }).on('ours', () => {});
      return raw;
    };
    const sql = postgres(front.url('require'), {
      max: 1,
      fetch_types: false,
      socket,
    } as Options);
    await sql`select 1`;
    assert.equal(raw?.listenerCount('ours'), 0);
    await sql.end();
  });
});

describe('a server that is to encrypt a connection', () => {
  /** The error of a socket to such a server, once something is written to it. */
  async function failureAt(serve: (client: net.Socket) => void, maxMs = 60_000): Promise<unknown> {
    const server = net.createServer((client) => serve(client.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const encryption = { mode: 'require', isDirect: false } as const;
    const socket = await openEncrypted({ host: '127.0.0.1', port }, encryption, maxMs);
    server.close();
    socket.write('startup');
    const [error] = await once(socket, 'error');
    return error;
  }
  const codeAt = async (...given: Parameters<typeof failureAt>) =>
    ((await failureAt(...given)) as NodeJS.ErrnoException).code;

  test('and closes it instead is unavailable, before its answer and after', async () => {
    assert.equal(await codeAt((client) => void client.end()), 'ECONNRESET');
    assert.equal(await codeAt((client) => void client.once('data', () => client.end('S'))), 'ECONNRESET');
  });

  test('and says nothing is given up', async () => {
    const clients: net.Socket[] = [];
    assert.equal(await codeAt((client) => void clients.push(client), 100), 'ETIMEDOUT');
    assert.equal(clients.length, 1);
  });

  test('and sends more bytes than its answer is not trusted', async () => {
    const error = await failureAt((client) => void client.once('data', () => client.write('Splain text')));
    assert.match(String(error), /does not offer TLS/);
  });

  test('and is not there is unavailable', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `postgres://me@127.0.0.1:${port}/reviews?sslmode=require`;
    const sql = openClient({ url }, { max: 1, applicationName: 'test', ...patience });
    for (let turn = 0; turn < 3; turn += 1)
      await assert.rejects(async () => await sql`select 1`, isUnavailable);
    await sql.end();
  });

  test('from the first byte on is told the protocol, as PostgreSQL demands', async () => {
    const credentials = { ...selfSigned('localhost'), ALPNProtocols: ['postgresql'] };
    const server = tls.createServer(credentials).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const socket = await openEncrypted(
      { host: '127.0.0.1', port },
      { mode: 'require', isDirect: true },
      60_000,
    );
    assert.equal((socket as tls.TLSSocket).alpnProtocol, 'postgresql');
    socket.destroy();
    server.close();
  });
});

describe('postgres.js', () => {
  /** Runs two queries on a single connection, the second after the first has failed. Resolves once the second had time to end. */
  async function askTwice(socket: () => Duplex | Promise<Duplex>): Promise<void> {
    const sql = postgres({ max: 1, fetch_types: false, backoff: () => 0, socket } as Options);
    await assert.rejects(async () => await sql`select 1`, /failed/);
    sql`select 1`.catch(() => {});
    await sleep(50);
    await sql.end({ timeout: 0 });
  }

  test('never again opens a connection for which it got no socket', async () => {
    let calls = 0;
    await askTwice(() => {
      calls += 1;
      return Promise.reject(new Error('failed'));
    });
    assert.equal(calls, 1);
  });

  test('never again writes on a connection that was closed before its first message was written', async () => {
    const written: number[] = [];
    let calls = 0;
    await askTwice(() => {
      const call = ++calls;
      const socket = new Duplex({
        read: () => {},
        write: (_bytes, _encoding, done) => {
          written.push(call);
          done();
        },
      });
      if (call === 1) setImmediate(() => socket.destroy(new Error('failed')));
      return socket;
    });
    assert.deepEqual({ calls, written }, { calls: 2, written: [] });
  });
});
