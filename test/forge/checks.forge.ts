import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectionsPath } from '../hosts/connected-host.ts';
import { createPostilProcess } from '../postil-process.ts';
import { eventually } from './eventually.ts';
import { fixedAddress, longTestMs, startForgejo } from './forgejo.ts';

const program = process.env.POSTIL_FORGEJO;
assert.ok(program, 'POSTIL_FORGEJO must be the path of a Forgejo program');
const forge = await startForgejo(program);
after(() => forge.stop());
const postil = await createPostilProcess(await fixedAddress());
after(() => postil.remove());

const repository = '/repos/delta/app';

/** Calls the forge as one of its people. */
async function as<Value>(person: string, method: string, at: string, body: object): Promise<Value> {
  const answer = await fetch(`${forge.url}/api/v1${repository}${at}`, {
    method,
    headers: { authorization: `token ${forge.token}`, sudo: person, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${at} was answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Value;
}

async function write(branch: string, name: string, text: string, from = branch): Promise<void> {
  const target = branch === from ? { branch } : { branch: from, new_branch: branch };
  const content = Buffer.from(text).toString('base64');
  await as('ada', 'POST', `/contents/${name}`, { content, message: name, ...target });
}

async function headOf(number: number): Promise<string> {
  const { head } = (await forge.call('GET', `${repository}/pulls/${number}`)) as { head: { sha: string } };
  return head.sha;
}

/** Waits until the forge shows this state and text for the checks of a head. */
async function shown(head: string, state: string, says: RegExp): Promise<void> {
  await eventually(`${state} ${says}`, async () => {
    const statuses = (await forge.call('GET', `${repository}/commits/${head}/statuses`)) as {
      id: number;
      context: string;
      status: string;
      description: string;
    }[];
    const [newest] = statuses
      .filter(({ context }) => context === 'postil/checks')
      .sort((a, b) => b.id - a.id);
    return newest?.status === state && says.test(newest.description) ? true : undefined;
  });
}

test('a real forge shows the checks of a pull request, and again when its title, reviews or commits change', {
  timeout: longTestMs,
}, async () => {
  for (const username of ['ada', 'ben'])
    await forge.call('POST', '/admin/users', {
      username,
      email: `${username}@people.test`,
      password: 'correct horse battery',
      must_change_password: false,
    });
  await forge.call('POST', '/orgs', { username: 'delta' });
  const settings = { name: 'app', private: true, auto_init: true, default_branch: 'main' };
  await forge.call('POST', '/orgs/delta/repos', settings);
  const [owners] = (await forge.call('GET', '/orgs/delta/teams')) as [{ id: number }];
  for (const person of ['ada', 'ben']) await forge.call('PUT', `/teams/${owners.id}/members/${person}`);
  await write('main', 'CODEOWNERS', 'src/.*\\\\.ts @ben\n');
  await write(
    'main',
    '.postil.yaml',
    `checks:
  title: { pattern: "^feat: ", mode: error }
  owners: { approvals: 1, mode: error }
  coverage: { mode: off }
`,
  );

  await postil.start();
  const connected = await postil.call('POST', connectionsPath, {
    provider: 'gitea',
    url: forge.url,
    credentials: { token: forge.token },
    organizations: ['delta'],
  });
  assert.equal(connected.status, 201, JSON.stringify(connected.json));
  const at = `${connectionsPath}/${connected.json.id}`;
  await eventually('the sync', async () => (await postil.call('GET', at)).json.synced_at ?? undefined);

  await write('topic', 'src/load.ts', 'export const one = 1;\n', 'main');
  const body = { head: 'topic', base: 'main', title: 'Load one' };
  const { number } = await as<{ number: number }>('ada', 'POST', '/pulls', body);
  const head = await headOf(number);
  await shown(head, 'failure', /title, owners/);

  await as('ada', 'PATCH', `/pulls/${number}`, { title: 'feat: load one' });
  await shown(head, 'failure', /^Failed: owners$/);

  await as('ben', 'POST', `/pulls/${number}/reviews`, { event: 'APPROVED', body: 'good', commit_id: head });
  await shown(head, 'success', /2 checks passed/);

  await as('ada', 'PATCH', `/pulls/${number}`, { title: 'Load one' });
  await shown(head, 'failure', /^Failed: title$/);
  await as('ada', 'PATCH', `/pulls/${number}`, { title: 'feat: load one' });
  await shown(head, 'success', /2 checks passed/);

  await write('topic', 'src/more.ts', 'export const two = 2;\n');
  const next = await headOf(number);
  assert.notEqual(next, head);
  // Forgejo marks the approval of the previous head as outdated.
  await shown(next, 'failure', /^Failed: owners$/);
});
