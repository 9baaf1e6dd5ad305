import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDouble } from '../../../test/hosts/connected-host.ts';
import { connectProcess, deliverTo, untilSeen } from '../../../test/hosts/connected-process.ts';
import { addGitRepository } from '../../../test/hosts/forge/forge-repository.ts';
import { fillForge } from '../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { unsafe } from '../../../test/hosts/talking-app.ts';
import { createPostilProcess } from '../../../test/postil-process.ts';

const postil = await createPostilProcess();
after(() => postil.remove());

test('kill -9 in the middle of an answer and of judging findings loses and repeats nothing', {
  timeout: 900_000,
}, async () => {
  const gitea = await startDouble(Object.assign(new GiteaDouble(), { hasReplies: true }));
  gitea.state.now = new Date();
  const forge = fillForge(gitea);
  const git = await addGitRepository(gitea, forge.acme, 'project', { 'readme.md': 'A project.\n' });
  await postil.start();
  // biome-ignore lint/suspicious/noExplicitAny: the test fails if an expected field is missing
  const call = async (...request: Parameters<typeof postil.call>): Promise<any> =>
    (await postil.call(...request)).json;
  const bring = () => deliverTo(postil, gitea.takeDeliveries());
  await connectProcess(postil, gitea);
  const tenant = { provider: 'gitea', org_id: String(forge.acme.id), instance: 'git' };
  const { value: key } = await call('POST', '/operator/v1/keys', {
    kind: 'organization',
    name: 'test',
    ...tenant,
    owner: String(forge.ada.id),
  });

  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': unsafe });
  const pull = await git.open(forge.ada, 'topic');
  await bring();
  const runs = async () => (await call('GET', '/v1/reviews', undefined, key)).data;
  await untilSeen('the review', async () => (await runs())[0]?.status === 'succeeded');
  const finding = async () =>
    (await call('GET', `/v1/reviews/${(await runs()).at(-1).id}`, undefined, key)).findings[0];

  // The host accepts the answer but never responds, and Git does not respond to evaluations.
  const stalled = new Set<string>();
  gitea.loses = ({ method, path: asked }) => {
    const isAnswer = method === 'POST' && asked.endsWith(`/issues/${pull.number}/comments`);
    if (isAnswer) stalled.add('answer');
    return isAnswer;
  };
  gitea.fault = ({ path: asked }) => {
    if (!asked.includes('info/refs')) return undefined;
    stalled.add('judging');
    return 'stall';
  };
  const [root] = gitea.state.threads(pull)[0]!;
  gitea.state.comment(pull, forge.ben, '@postil-bot pause');
  gitea.state.answer(pull, forge.ada, root!, 'Fixed? No: false positive.');
  await bring();
  await untilSeen('both', () => stalled.size === 2);
  await postil.kill();
  gitea.loses = () => false;
  gitea.fault = () => undefined;

  await postil.start();
  const answersOf = (text: RegExp) =>
    [...pull.comments, ...gitea.state.lineComments(pull)].filter(
      ({ body, user }) => user === forge.account && body.startsWith('<!-- postil:answer') && text.test(body),
    ).length;
  // Comments are answered in their order: once the last one is, the others were.
  gitea.state.comment(pull, forge.ben, '@postil-bot help');
  await bring();
  await untilSeen('the last answer', () => answersOf(/Mention me/) === 1);
  await untilSeen('the verdict', async () => (await finding()).accepted === false);
  assert.equal(answersOf(/are paused/), 1, 'the pause is answered once');
  assert.equal(answersOf(/will not raise this again/), 1, 'the refusal is answered once');
  assert.equal((await runs()).length, 1);
});
