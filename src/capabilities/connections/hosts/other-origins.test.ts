import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { anyAddress } from '../../../outbound/address-guard.ts';
import { createOutbound } from '../../../outbound/outbound.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import type { Host, HostCredentials } from './host.ts';
import { hostKind } from './host-providers.ts';

async function listen(answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What arrived at a server that nobody has connected. */
const elsewhere: (string | undefined)[] = [];
const foreign = await listen((request, response) => {
  elsewhere.push(`${request.url} ${request.headers.authorization ?? request.headers['private-token']}`);
  response.setHeader('content-type', 'application/json').end('[]');
});
/** The same server by another name, and a scheme that is none of the web's. */
const addresses = [foreign, foreign.replace('127.0.0.1', 'localhost'), 'file:///etc/passwd'];

let answer: http.RequestListener = () => {};
const asked: string[] = [];
const url = await listen((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  answer(request, response);
});
const outbound = createOutbound(anyAddress);
after(() => outbound.close());
beforeEach(() => {
  elsewhere.length = 0;
  asked.length = 0;
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const app = { app_id: '1', private_key: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString() };
const token = { token: 'a-secret-token' };
const accounts: [Parameters<typeof hostKind>[0], HostCredentials][] = [
  ['github', token],
  ['github', app],
  ['gitlab', token],
  ['gitea', token],
];

const organization = { id: '5', name: 'acme' };
const repository = { id: '7', fullName: 'acme/api' };
const since = new Date(0);
const review = {
  commitId: 'a'.repeat(40),
  body: 'text',
  marker: 'm',
  comments: [],
};

/** Every call that reads or writes, so that none of them is left out. */
const calls: Record<string, (host: Host) => Promise<unknown> | AsyncIterable<unknown>> = {
  describeAccount: (host) => host.describeAccount(),
  listOrganizations: (host) => host.listOrganizations(),
  listRepositories: (host) => host.listRepositories(organization),
  listMembers: (host) => host.listMembers(organization),
  listTeams: (host) => host.listTeams(organization),
  readPullRequest: (host) => host.readPullRequest(repository, 1, []),
  listChanged: (host) => host.listChanged(repository, since),
  listOpen: (host) => host.listOpen(repository),
  listReviewComments: (host) => host.listReviewComments(repository, 1),
  registerWebhook: (host) => host.registerWebhook(organization, 'https://postil.test/hooks/1', 'secret'),
  removeWebhook: (host) => host.removeWebhook(organization, 'https://postil.test/hooks/1'),
  check: (host) => host.check(organization, 'https://postil.test/hooks/1'),
  readClock: (host) => host.readClock(),
  readThreads: (host) => host.readThreads(repository, 1),
  listConversation: (host) => host.listConversation(repository, 1),
  publishReview: (host) => host.publishReview(repository, 1, review as never),
  writeComment: (host) => host.writeComment(repository, 1, 'text'),
  editComment: (host) => host.editComment(repository, 1, '2', 'text'),
};

/** Makes a call, to its end, and gives its error. */
async function errorOf(call: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
  try {
    if (Symbol.asyncIterator in call) for await (const _ of call);
    else await call;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** An answer that every call can begin with, and that names another server wherever an answer can name one. */
function thing(address: string) {
  const login = { id: 5, login: 'acme', username: 'acme', name: 'acme', full_path: 'acme', type: 'User' };
  const links = Object.fromEntries(
    ['url', 'html_url', 'next', 'next_page_url', 'repos_url', 'members_url', 'clone_url', 'web_url'].map(
      (name) => [name, `${address}/${name}`],
    ),
  );
  const fullName = `${address}/acme/api`;
  return {
    ...login,
    ...links,
    account: login,
    owner: login,
    user: login,
    full_name: fullName,
    private: true,
  };
}

for (const [provider, credentials] of accounts) {
  const kind = 'token' in credentials ? 'token' : 'app';
  const connect = () => hostKind(provider).connect({ url, credentials, outbound });

  test(`${provider} with a ${kind}: what an answer names on another server is not called, and no token leaves the host`, async () => {
    for (const address of addresses) {
      answer = ({ url: path }, response) => {
        const isObject = /\/(user|app|version|meta)$/.test(path!.split('?')[0]!);
        response
          .setHeader('content-type', 'application/json')
          .setHeader('link', `<${address}/next>; rel="next", <${address}/last>; rel="last"`)
          .setHeader('x-next-page', `2#${address}`)
          .setHeader('x-total-count', '1000')
          .end(JSON.stringify(isObject ? thing(address) : [thing(address)]));
      };
      for (const [name, call] of Object.entries(calls)) {
        await errorOf(call(await connect()));
        assert.deepEqual(elsewhere, [], name);
      }
    }
    assert.ok(asked.length >= Object.keys(calls).length);
  });

  test(`${provider} with a ${kind}: a redirect to another server is not followed`, async () => {
    // A client that retries waits in between, so not every call with every address.
    for (const [status, address] of [
      [302, addresses[0]],
      [307, addresses[1]],
    ] as const) {
      answer = (_request, response) => response.writeHead(status, { location: `${address}/there` }).end();
      for (const name of ['describeAccount', 'listOrganizations', 'readPullRequest', 'writeComment']) {
        await errorOf(calls[name]!(await connect()));
        assert.deepEqual(elsewhere, [], `${name} ${status}`);
      }
    }
    assert.ok(asked.length > 0);
  });
}

test('a next page on another server is reported with its name, and the page before is not taken for the whole list', async () => {
  answer = (_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .setHeader('link', `<${foreign}/next>; rel="next"`)
      .end('[{"id":5,"login":"acme"}]');
  const host = await hostKind('github').connect({ url, credentials: token, outbound });
  const error = await errorOf(host.listOrganizations());
  assert.ok(error instanceof OutboundError && error.fault === 'other_origin', String(error));
  assert.match(error.message, new RegExp(`${new URL(url).host} refers to ${new URL(foreign).host}`));
});

test('a repository is cloned from the host that is connected, whatever its name is', async () => {
  for (const [provider, credentials] of accounts.filter(([, given]) => 'token' in given)) {
    const host = await hostKind(provider).connect({ url, credentials, outbound });
    for (const fullName of [
      'acme/api',
      `@${foreign}/a`,
      `//${foreign}/a`,
      '../../a',
      `.${foreign}`,
      'a?b#c',
    ]) {
      const source = await host.cloneSource({ id: '7', fullName }, 1);
      assert.equal(new URL(source.url).origin, url, fullName);
    }
  }
});

test('the API of a cloud is called on its own host, and nothing else', () => {
  assert.equal(hostKind('github').apiUrl('https://github.com'), 'https://api.github.com');
  assert.equal(hostKind('github').apiUrl('https://ghe.acme.test'), 'https://ghe.acme.test/api/v3');
});
