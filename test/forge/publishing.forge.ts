import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hostKind } from '../../src/capabilities/connections/hosts/host-providers.ts';
import { placeComments } from '../../src/capabilities/reviews/publishing/place-comments-part.ts';
import { type PublishRequest, publishRun } from '../../src/capabilities/reviews/publishing/publish-run.ts';
import { anyAddress } from '../../src/outbound/address-guard.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { changeOfDiff } from '../../src/reviewer/change/change-of-diff.ts';
import { filesByPath } from '../../src/reviewer/change/change-source.ts';
import { nothingFound, sampleFinding } from '../hosts/contracts/sample-findings.ts';
import { longTestMs, startForgejo } from './forgejo.ts';

const program = process.env.POSTIL_FORGEJO;
assert.ok(program, 'POSTIL_FORGEJO must be the path of a Forgejo program');
const forge = await startForgejo(program);
after(() => forge.stop());
const direct = createOutbound(anyAddress);
after(() => direct.close());
/** With long timeouts, since an emulated server is slow. */
const outbound: Outbound = { ...direct, call: (asked) => direct.call({ timeoutMs: 240_000, ...asked }) };

interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly merge_base: string;
}

const lines = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => `const v${first + index} = ${first + index};\n`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a review, a push and a second attempt on a real forge', { timeout: longTestMs }, async () => {
  await forge.call('POST', '/orgs', { username: 'acme' });
  await forge.call('POST', '/orgs/acme/repos', {
    name: 'app',
    private: true,
    auto_init: true,
    default_branch: 'main',
  });
  const contents = '/repos/acme/app/contents/src/a.ts';
  const before = lines(40);
  const { content } = (await forge.call('POST', contents, {
    content: base64(before),
    message: 'a',
    branch: 'main',
  })) as { content: { sha: string } };
  const changed = before.replace('const v10 = 10;\n', 'const x = 1;\nconst y = 2;\n');
  const { content: next } = (await forge.call('PUT', contents, {
    content: base64(changed),
    message: 'b',
    branch: 'main',
    new_branch: 'topic',
    sha: content.sha,
  })) as { content: { sha: string } };
  const { number } = (await forge.call('POST', '/repos/acme/app/pulls', {
    head: 'topic',
    base: 'main',
    title: 'topic',
  })) as Pull;
  const repository = {
    id: String(((await forge.call('GET', '/repos/acme/app')) as { id: number }).id),
    fullName: 'acme/app',
  };
  const connect = () =>
    hostKind('gitea').connect({ url: forge.url, credentials: { token: forge.token }, outbound });
  const host = await connect();

  async function requestFor(run: string, more: Partial<PublishRequest>): Promise<PublishRequest> {
    const pull = (await forge.call('GET', `/repos/acme/app/pulls/${number}`)) as Pull;
    const diff = await fetch(`${forge.url}/api/v1/repos/acme/app/pulls/${number}.diff`, {
      headers: { authorization: `token ${forge.token}` },
    });
    const change = changeOfDiff(await diff.text());
    return {
      run: { id: run, url: 'https://postil.test/reviews/1' },
      provider: 'gitea',
      repository,
      repositoryUrl: `${forge.url}/acme/app`,
      number,
      baseSha: pull.merge_base,
      headSha: pull.head.sha,
      placeFindings: (findings) => placeComments(findings, filesByPath(change)),
      result: { status: 'degraded', reason: 'a test', coverage: [], notes: [], report: null, usage: null },
      ...nothingFound,
      ...more,
    };
  }

  const findings = [
    sampleFinding({ startLine: 10, endLine: 11 }),
    sampleFinding({ startLine: 10, side: 'old' }),
    sampleFinding({ startLine: 12 }),
    sampleFinding({ startLine: 12, title: 'A second one on the same line' }),
  ];
  const first = await requestFor('run-1', { findings });
  const { posted } = await publishRun(host, first);
  assert.equal(posted.length, 4);
  const again = await publishRun(await connect(), first);
  assert.deepEqual(
    again.posted.map(({ commentId }) => commentId).sort(),
    posted.map(({ commentId }) => commentId).sort(),
  );
  const threads = await host.readThreads(repository, number);
  assert.deepEqual(
    threads.map(({ side, line, isResolved, comments }) => [side, line, isResolved, comments.length]),
    [
      ['new', 11, false, 1],
      ['old', 10, false, 1],
      ['new', 12, false, 1],
      ['new', 12, false, 1],
    ],
  );

  await forge.call('PUT', contents, {
    content: base64(`// A line above.\n${changed}`),
    message: 'c',
    branch: 'topic',
    sha: next.sha,
  });
  const gone = [findings[0]!.identity, findings[1]!.identity];
  const second = await requestFor('run-2', { findings: findings.slice(2), gone, posted });
  const { closed, summary, statusRefused } = await publishRun(await connect(), second);
  assert.deepEqual(
    closed.map(({ findingId }) => findingId),
    gone,
  );
  assert.equal(statusRefused, null);
  await publishRun(await connect(), second);
  await publishRun(await connect(), {
    ...second,
    run: { ...second.run, id: 'run-3' },
    summaryId: summary.id,
  });
  const all = (await host.readThreads(repository, number)).flatMap(({ comments }) => comments);
  assert.equal(all.filter(({ body }) => body.includes('postil:gone')).length, 2);
  assert.equal(all.filter(({ body }) => body.includes('postil:finding')).length, 4);
  const conversation = await Array.fromAsync(host.listConversation(repository, number));
  assert.equal(conversation.length, 1);
  const statuses = (await forge.call('GET', `/repos/acme/app/commits/${second.headSha}/statuses`)) as {
    status: string;
    context: string;
    target_url: string;
  }[];
  assert.deepEqual(
    statuses.slice(0, 1).map(({ status, context, target_url }) => [status, context, target_url]),
    [['warning', 'postil', 'https://postil.test/reviews/1']],
  );
  const { url, authorization, headRef } = await host.cloneSource(repository, number);
  const refs = await fetch(`${url}/info/refs?service=git-upload-pack`, {
    headers: { authorization: authorization! },
  });
  assert.match(await refs.text(), new RegExp(headRef));
});
