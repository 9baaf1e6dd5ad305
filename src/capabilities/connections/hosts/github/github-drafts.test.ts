import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDouble } from '../../../../../test/hosts/connected-host.ts';
import { tryPublishing } from '../../../../../test/hosts/contracts/publishing-trial.ts';
import { sampleDiff, sampleFinding } from '../../../../../test/hosts/contracts/sample-findings.ts';
import { fillForge, hostToken } from '../../../../../test/hosts/forge/sample-forge.ts';
import { GitHubDouble } from '../../../../../test/hosts/github/github-double.ts';
import { anyAddress } from '../../../../outbound/address-guard.ts';
import { createOutbound } from '../../../../outbound/outbound.ts';
import { publishRun } from '../../../reviews/publishing/publish-run.ts';
import { HostUnavailable } from '../host.ts';
import { hostKind } from '../host-providers.ts';

const double = await startDouble(new GitHubDouble());
const forge = fillForge(double);
const credentials = { token: hostToken };
const { state, host, open, requestFor, ownThreads, places } = tryPublishing({
  name: 'GitHub',
  provider: 'github',
  double,
  forge,
  credentials,
  knowsToken: (token) => token === hostToken,
  account: () => forge.account,
  isOneReview: true,
  canResolve: true,
  checksPlaces: true,
  states: { pending: '', success: '', failure: '', neutral: '', warning: '' },
  suggestion: '',
});
const place = { path: 'src/a.ts', side: 'new', startLine: 11, line: 11 } as const;
const leftBody = '<!-- postil:review run=run-0 -->';

/** Runs something, and returns what was asked of the reviews of the pull request, with the status of the answer. */
async function askedOfReviews(work: () => Promise<unknown>): Promise<string[]> {
  const before = double.requests.length;
  await work();
  return double.requests
    .slice(before)
    .filter(({ path }) => /\/pulls\/\d+\/reviews(\/\d+)?$/.test(path))
    .map(({ method, status }) => `${method} ${status}`);
}

test('a review without trouble does not look for drafts', async () => {
  const request = requestFor(open(), { findings: [sampleFinding()] });
  assert.deepEqual(await askedOfReviews(async () => publishRun(await host, request)), ['POST 200']);
});

test('a draft that was left behind is no posted review, and is removed before one is posted', async () => {
  const pull = open();
  const finding = sampleFinding({ startLine: 11 });
  const body = `<!-- postil:finding id=${finding.identity} run=run-0 -->\n\nIt is wrong.`;
  state.draft(pull, forge.account, leftBody, [{ body, place }]);
  const request = requestFor(pull, { findings: [finding] });
  assert.deepEqual(await askedOfReviews(async () => publishRun(await host, request)), [
    'POST 422',
    'GET 200',
    'DELETE 200',
    'POST 200',
  ]);
  assert.deepEqual([places(pull), pull.drafts], [[['src/a.ts', 'new', 11]], []]);
});

test('a draft that was left behind does not keep a thread from being answered', async () => {
  const pull = open();
  const finding = sampleFinding();
  const { posted } = await publishRun(await host, requestFor(pull, { findings: [finding] }));
  state.push(pull);
  pull.diff = sampleDiff;
  state.draft(pull, forge.account, leftBody, []);
  await publishRun(await host, requestFor(pull, { posted, gone: [finding.identity] }));
  assert.equal(ownThreads(pull)[0]!.length, 2);
  assert.deepEqual(pull.drafts, []);
});

test('the draft of a person in the same account is kept; the refusal is told, and no place is blamed', async () => {
  const pull = open();
  const draft = state.draft(pull, forge.account, 'My thoughts', [{ body: 'Hm', place }]);
  const request = requestFor(pull, { findings: [sampleFinding(), sampleFinding({ startLine: 11 })] });
  const publish = async () => assert.rejects(publishRun(await host, request), /one pending review/);
  assert.deepEqual(await askedOfReviews(publish), ['POST 422', 'GET 200']);
  assert.deepEqual(pull.drafts, [draft]);
});

test('a draft that stays because no write was left is removed later, and every write is counted', async () => {
  const pull = open();
  const findings = [11, 12].map((startLine) => sampleFinding({ startLine }));
  const bad = sampleFinding({ path: 'src/new.ts', startLine: 190 });
  pull.diff = sampleDiff.slice(0, sampleDiff.indexOf('diff --git a/src/new.ts'));
  let [left, spent] = [2, 0];
  const writes = {
    async spend() {
      if (left === 0) throw new HostUnavailable("the host's limit on writing is used up", 1);
      left -= 1;
      spent += 1;
    },
  };
  const outbound = createOutbound(anyAddress);
  const limited = await hostKind('github').connect({ url: double.url, credentials, outbound, writes });
  const before = double.requests.length;
  const request = requestFor(pull, { findings: [...findings, bad] });
  await assert.rejects(publishRun(limited, request), HostUnavailable);
  assert.equal(pull.drafts.length, 1);
  left = 100;
  await publishRun(limited, request);
  assert.deepEqual(
    places(pull).map(([, , line]) => line),
    [11, 12],
  );
  assert.deepEqual(pull.drafts, []);
  const written = double.requests
    .slice(before)
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/graphql'));
  assert.equal(spent, written.length);
});
