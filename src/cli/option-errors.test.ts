import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import type { Command } from 'commander';
import { startFakeServer } from '../../test/command-line.ts';
import { createProgram, runProgram } from './program.ts';

let requests: { url: string; body: string }[] = [];
let status = 201;
let message = '';
const variables = await startFakeServer(async (request, response) => {
  requests.push({ url: request.url!, body: Buffer.concat(await request.toArray()).toString() });
  response.statusCode = status;
  const key = { id: '1', kind: 'user', value: 'pst_u_value' };
  response.end(JSON.stringify(status < 400 ? key : { error: { code: 'INVALID_REQUEST', message } }));
});
Object.assign(process.env, variables);

async function run(line: string): Promise<{ code: number; err: string }> {
  requests = [];
  let err = '';
  const write = mock.method(process.stderr, 'write', (text: string) => {
    err += text;
    return true;
  });
  const code = await runProgram(line.split(' ')).finally(() => write.mock.restore());
  return { code, err };
}

const member = 'keys create --kind organization --name ci --provider github --org 1001 --owner 9001';

describe('incorrect usage exits with 2, names the option, and sends no request', () => {
  for (const [line, ...options] of [
    ['keys create --kind organization --name ci', '--org', '--owner'],
    [`${member} --provider codeberg`, '--provider', 'forgejo'],
    ['keys create --kind workspace --name bi --workspace acme --owner ann@acme.test', '--expires'],
    ['keys create --kind legacy --name old --provider github --org 1001 --owner 1', '--owner'],
    ['keys create --kind instance --name ghe --instance ghe --owner 1 --org 1001', '--org'],
    ['keys create --kind instance --name ghe --instance ghe --owner 1 --orgs 1,,2', '--orgs'],
    [`${member} --expires tomorrow`, '--expires'],
    [`${member} --expires 2026-02-30`, '--expires'],
    ['audit verify --org 1001', '--provider'],
    ['audit export --provider github', '--org'],
    ['audit verify --instance ghe', '--provider', '--org'],
    ['audit export --since yesterday', '--since'],
    ['apply', 'file'],
    ['keys lst', 'list'],
  ] as const) {
    test(line, async () => {
      const { code, err } = await run(line);
      for (const option of options) assert.ok(err.includes(option), err);
      assert.doesNotMatch(err, /\b(org_ids?|expires_at|home_org_id)\b/);
      assert.deepEqual([code, requests], [2, []]);
    });
  }
});

describe("the server's errors are reported with the command's own options", () => {
  const ofInstance = 'keys create --kind instance --name ghe --instance ghe --owner 1 --orgs 1,2 --home 3';
  for (const [response, line, expected] of [
    [
      [400, 'expires_at: must be 1 to 366 days from now'],
      `${member} --expires 1d`,
      [2, /--expires: must be/],
    ],
    [
      [400, 'org_ids[1]: must be text; name: is required'],
      ofInstance,
      [2, /--orgs: must be text\n +--name: is/],
    ],
    [[404, 'org_id: there is no such organization'], member, [1, /--org: there is no such organization/]],
    [
      [404, 'org_id: there is no such organization on the public cloud; instance: must be ghe'],
      member,
      [1, /--org: there is no such organization on the public cloud\n +--instance: must be ghe/],
    ],
    [[404, "home_org_id: the key's instance has no organization 3"], ofInstance, [1, /--home: the key's/]],
    [[400, 'id: must be a UUID'], 'keys revoke nonsense', [2, / id: must be a UUID/]],
    [[400, 'email: Invalid email address'], 'invite nobody', [2, / email: Invalid/]],
    [[409, 'ann is the last; none needs allow_none'], 'admins revoke ann', [1, /needs --allow-none/]],
    [
      [404, 'org_id: there is no such organization'],
      'audit verify --provider github --org 1',
      [1, /--org: /],
    ],
  ] as const) {
    test(`${response[1]} (${response[0]})`, async () => {
      [status, message] = response;
      const { code, err } = await run(line);
      assert.match(err, expected[1]);
      assert.equal(code, expected[0]);
    });
  }
});

test('an expiry can be a number of days, a date or a date-time', async () => {
  status = 201;
  const expiry = async (text: string) => {
    const { err } = await run(`${member} --expires ${text}`);
    assert.equal(requests.length, 1, err);
    return JSON.parse(requests[0]!.body).expires_at as string;
  };
  assert.equal(await expiry('2027-06-30'), '2027-06-30T00:00:00Z');
  assert.equal(await expiry('2027-06-30T12:00:00+02:00'), '2027-06-30T12:00:00+02:00');
  const daysAhead = (Date.parse(await expiry('90d')) - Date.now()) / 86_400_000;
  assert.ok(daysAhead > 89 && daysAhead <= 90, `${daysAhead}`);
});

test('the help of every command includes an example', async () => {
  const walk = (command: Command, name: string): void => {
    for (const inner of command.commands) walk(inner, `${name} ${inner.name()}`);
    if (command.commands.length > 0) return;
    let help = '';
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut }).outputHelp();
    assert.ok(help.split(/Examples?:/)[1]?.includes(name), `${name}:\n${help}`);
  };
  walk(await createProgram(), 'postil');
});

test('a command that is loaded alone is the same as when all are loaded', async () => {
  const all = (await createProgram()).commands;
  assert.ok(all.length > 20);
  for (const command of all) {
    const alone = (await createProgram(command.name())).commands;
    assert.deepEqual(
      alone.map((one) => [one.name(), one.helpInformation()]),
      [[command.name(), command.helpInformation()]],
    );
  }
});

test('without a server, a command says in which data folder it looked, and what to set', async () => {
  const { POSTIL_URL } = process.env;
  delete process.env.POSTIL_URL;
  process.env.POSTIL_DATA_DIR = '/nowhere/postil-data';
  try {
    const { code, err } = await run('keys list');
    assert.equal(code, 1);
    assert.match(
      err,
      /data folder \/nowhere\/postil-data; start one with "npm start", .*POSTIL_DATA_DIR.*POSTIL_URL/,
    );
  } finally {
    delete process.env.POSTIL_DATA_DIR;
    process.env.POSTIL_URL = POSTIL_URL;
  }
});
