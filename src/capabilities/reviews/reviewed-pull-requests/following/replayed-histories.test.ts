import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeRepository } from '../../../../../test/git-repository.ts';
import fc from '../../../../../test/properties.ts';
import { readChange } from '../../../../reviewer/change/read-change.ts';
import { defaultConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import type { ModelReviewer } from '../../../../reviewer/model/model-reviewer.ts';
import { partsOf } from '../../../../reviewer/process/part.ts';
import { workHere } from '../../../../reviewer/process/run-here.ts';
import { openRepository, placeOf } from '../../../../reviewer/repository/repository.ts';
import type { RuleFinding, RuleSource } from '../../../../reviewer/rule-source.ts';
import { correctness, describeFinding } from '../../../../reviewer/rules/rule-facts.ts';
import type { LastReview } from '../pull-request-facts.ts';
import { type EarlierResult, findSince } from './earlier-review.ts';
import { judgePullRequest } from './judge-pull-request.ts';
import type { KnownFinding } from './known-finding.ts';

const searchPath = process.env.PATH;
const { signal } = new AbortController();

/** Every `bad("label")` is a finding of its own; every `check(value)` is one of several that look the same. */
const rule: RuleSource = {
  name: 'secrets',
  covers: () => true,
  find: async (files) =>
    files.map(({ text }) =>
      text.split('\n').flatMap((line, index): RuleFinding[] => {
        const found = /bad\("\w+"\)|check\(value\)/.exec(line)?.[0];
        if (found === undefined) return [];
        const kind = found.startsWith('bad') ? 'secrets/bad' : 'secrets/check';
        const said = describeFinding(['major', correctness, kind, found], '');
        return [{ ...said, rule: kind, startLine: index + 1, endLine: index + 1 }];
      }),
    ),
};

const processes = workHere(async () => [rule]);
after(() => processes.stop());
const run = partsOf(processes, { group: 'test', signal });

/** Finds `dubious("label")` in the hunks that it is shown, but not every time, and with a different wording each time. */
function forgetfulModel(isFound: () => boolean): ModelReviewer {
  let serial = 0;
  return {
    name: 'forgetful',
    async review({ show }) {
      const { parts } = await show({ file: 0, part: 0 }, 1_000_000);
      const findings = parts.flatMap(({ path, text: shown }) =>
        shown
          .split('\n')
          .filter((line) => line.startsWith('+') && line.includes('dubious(') && isFound())
          .map((line) => {
            serial += 1;
            const said = { severity: 'major', category: 'security_and_privacy', suggestion: null } as const;
            return {
              ...said,
              path,
              quote: line.slice(1),
              title: `Doubt ${serial}`,
              body: '',
              learningIds: [],
            };
          }),
      );
      const usage = { model: 'forgetful', inputTokens: 0, outputTokens: 0, costUsd: 0, calls: 1 };
      return { findings, shortfalls: [], usage } as never;
    },
  };
}

interface OwnFile {
  /** Whether the push is also in main, which has lines of its own at the top. */
  readonly isInMain: boolean;
  lines: string[];
}

const steps = [
  'insert',
  'indent',
  'bad',
  'check',
  'dubious',
  'remove',
  'renameFunction',
  'renameFile',
  'moveLine',
  'newFile',
  'deleteFile',
  'rebase',
  'merge',
  'squash',
  'nothing',
] as const;
type Step = (typeof steps)[number];

const history = (length: number) =>
  fc.record({
    steps: fc.array(
      fc.record({
        step: fc.constantFrom(...steps),
        at: fc.nat(1_000),
        /** Whether the host no longer has the last reviewed head. */
        isFormerGone: fc.boolean(),
        isFull: fc.nat(9).map((n) => n === 0),
      }),
      { minLength: length, maxLength: length },
    ),
    seed: fc.nat(),
  });

/** A pull request that is pushed to again and again. */
async function startHistory() {
  const git = await makeRepository({ 'shared.ts': 'main 0\n', 'lib/old.ts': 'main 0\n' });
  await git.git('checkout', '--quiet', '-b', 'topic');
  let mainVersion = 0;
  let serial = 0;
  const label = () => {
    serial += 1;
    return `k${serial}`;
  };
  const files = new Map<string, OwnFile>([
    ['shared.ts', { isInMain: true, lines: ['export function shared() {', `  bad("${label()}");`, '}'] }],
    ['own.ts', { isInMain: false, lines: ['export function own() {', '  check(value);', '}'] }],
  ]);
  const top = () => Array.from({ length: mainVersion + 1 }, (_, index) => `main ${index}`);
  const textOf = ({ isInMain, lines }: OwnFile) => `${[...(isInMain ? top() : []), ...lines].join('\n')}\n`;
  const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length];
  let addedChecks = 1;

  function change(step: Step, at: number): void {
    const name = pick([...files.keys()], at)!;
    const file = files.get(name)!;
    const place = 1 + (at % Math.max(1, file.lines.length - 1));
    const insert = (...lines: string[]) => file.lines.splice(place, 0, ...lines);
    if (step === 'insert')
      insert(...Array.from({ length: 1 + (at % 9) }, (_, index) => `  log(${at + index});`));
    if (step === 'indent') file.lines = file.lines.map((line) => `  ${line}`);
    if (step === 'bad') insert(`  bad("${label()}");`);
    if (step === 'dubious') insert(`  dubious("${label()}");`);
    if (step === 'check') {
      insert('  check(value);');
      addedChecks += 1;
    }
    if (step === 'remove') {
      const index = file.lines.findIndex((line) => /bad\(|check\(|dubious\(/.test(line));
      if (index !== -1) file.lines.splice(index, 1);
    }
    if (step === 'renameFunction')
      file.lines[0] = `${file.lines[0]!.match(/^\s*/)![0]}export function f${at}() {`;
    if (step === 'renameFile' && !file.isInMain) {
      files.delete(name);
      files.set(`moved/${at}-${files.size}.ts`, file);
    }
    if (step === 'newFile')
      files.set(`new-${files.size}-${at}.ts`, {
        isInMain: false,
        lines: [
          `export function made${at}() {`,
          `  bad("${label()}");`,
          ...Array.from({ length: 5 }, (_, n) => `  work(${n});`),
          '}',
        ],
      });
    if (step === 'deleteFile' && !file.isInMain && files.size > 2) files.delete(name);
    if (step === 'moveLine') {
      const index = file.lines.findIndex((line) => line.includes('bad('));
      const other = files.get(pick([...files.keys()], at + 1)!)!;
      if (index !== -1) other.lines.splice(1, 0, ...file.lines.splice(index, 1));
    }
  }

  return {
    git,
    files,
    textOf,
    /** How many checks were ever added: each may be one new finding. */
    get addedChecks() {
      return addedChecks;
    },
    async push(step: Step, at: number): Promise<{ base: string; head: string }> {
      change(step, at);
      if (step === 'rebase' || step === 'merge') {
        await git.git('checkout', '--quiet', '--force', 'main');
        mainVersion += 1;
        const text = `${top().join('\n')}\n`;
        await git.commit({ 'shared.ts': text, 'lib/old.ts': text });
        await git.git('checkout', '--quiet', '--force', 'topic');
        if (step === 'merge') await git.git('merge', '--quiet', '--strategy=ours', '--no-commit', 'main');
      }
      if (step === 'rebase' || step === 'squash')
        await git.git('checkout', '--quiet', '--force', '-B', 'topic', 'main');
      const tracked = (await git.git('ls-files')).split('\n').filter((name) => name !== 'lib/old.ts');
      for (const name of tracked) await rm(path.join(git.folder, name), { force: true });
      const contents = Object.fromEntries([...files].map(([name, file]) => [name, textOf(file)]));
      const mainText = `${top().join('\n')}\n`;
      const head = await git.commit({ ...contents, 'lib/old.ts': mainText });
      return { head, base: await git.git('merge-base', 'main', 'topic') };
    },
  };
}

/** Which finding a line is, if it is one that has a name. */
const labelOf = (line: string) => /(?:bad|dubious)\("(\w+)"\)/.exec(line)?.[1];

type Replayed = ReturnType<typeof history> extends fc.Arbitrary<infer Made> ? Made : never;

async function replay(given: Replayed): Promise<void> {
  const closing: { close(): Promise<void> }[] = [];
  try {
    await replayAll(given, closing);
  } finally {
    for (const one of closing) await one.close();
  }
}

async function replayAll(
  { steps: made, seed }: Replayed,
  closing: { close(): Promise<void> }[],
): Promise<void> {
  const pull = await startHistory();
  let random = seed % 2_147_483_647;
  const isFound = () => {
    random = (random * 48_271 + 11) % 2_147_483_647;
    return random % 2 === 0;
  };
  const known = new Map<string, KnownFinding>();
  const idOfLabel = new Map<string, string>();
  const checkIds = new Set<string>();
  let last: LastReview | null = null;
  let earlier: EarlierResult | undefined;
  const pushes = [{ step: 'nothing' as Step, at: 0, isFormerGone: false, isFull: false }, ...made];
  for (const [index, { step, at, isFormerGone, isFull }] of pushes.entries()) {
    const { base, head } = await pull.push(step, at);
    const repository = await openRepository(pull.git.folder, { searchPath });
    const change = { kind: 'commits', repository: placeOf(repository), base, head } as const;
    closing.push(repository);
    const since =
      last === null || isFormerGone
        ? null
        : await findSince(
            {
              repository,
              run,
              head,
              baseTip: base,
              mergeBase: base,
              askOnce: (_question, ask) => ask(),
              bringFiles: async () => {},
              bringTree: async () => null,
              bringHistory: async () => {},
              bringChange: async () => {},
              bringCommit: async () => true,
              isInHead: async () => false,
              writeCommit: async () => undefined,
              push: async () => 'denied',
            },
            change,
            last,
            run,
          );
    const runId = `run-${index}`;
    const judged = await judgePullRequest({
      runId,
      run,
      own: { astGrepRules: [], searchPath },
      asked: { mode: isFull ? 'full' : 'incremental', trigger: 'push' },
      change,
      configuration: {
        ...defaultConfiguration,
        reviews: { ...defaultConfiguration.reviews, max_comments: 200 },
      },
      model: forgetfulModel(isFound),
      signal,
      known: [...known.values()],
      last,
      earlier,
      since,
    });
    for (const seen of judged.seen)
      known.set(seen.identity, { ...seen, accepted: null, posted: null, isReleased: false });
    last = judged.review!;
    const { status, coverage, report } = judged.result;
    earlier = { status, reason: null, coverage, report };

    const where = `push ${index} (${step})`;
    assert.deepEqual(
      judged.result.coverage.map((entry) => entry.path),
      (await readChange(repository, change)).files.map((file) => file.path),
      `${where}: every changed file is in the coverage`,
    );
    const open = judged.result.findings;
    assert.equal(
      new Set(open.map(({ identity }) => identity)).size,
      open.length,
      `${where}: each is open once`,
    );
    const lineOf = (finding: (typeof open)[number]) =>
      pull.textOf(pull.files.get(finding.path)!).split('\n')[finding.startLine! - 1] ?? '';
    const present = [...pull.files.values()].flatMap(({ lines }) => lines);
    for (const finding of open) {
      const line = lineOf(finding);
      const label = labelOf(line);
      if (finding.source.name === 'secrets/check') {
        assert.match(line, /check\(value\)/, `${where}: ${finding.path}:${finding.startLine}`);
        checkIds.add(finding.identity);
        continue;
      }
      assert.ok(label !== undefined, `${where}: ${finding.path}:${finding.startLine} is "${line}"`);
      const id = idOfLabel.get(label) ?? finding.identity;
      assert.equal(finding.identity, id, `${where}: ${label} was raised again under another name`);
      idOfLabel.set(label, id);
    }
    const openIds = new Set(open.map(({ identity }) => identity));
    for (const [label, id] of idOfLabel) {
      const isPresent = present.some((line) => labelOf(line) === label);
      assert.equal(openIds.has(id), isPresent, `${where}: ${label} is ${isPresent ? 'there' : 'gone'}`);
    }
    for (const line of present)
      if (line.includes('bad(')) assert.ok(idOfLabel.has(labelOf(line)!), `${where}: ${line} was found`);
    const checks = open.filter(({ source }) => source.name === 'secrets/check');
    assert.equal(checks.length, present.filter((line) => line.includes('check(')).length, `${where}: checks`);
    assert.equal(
      new Set(checks.map((finding) => `${finding.path}:${finding.startLine}`)).size,
      checks.length,
    );
    assert.ok(
      checkIds.size <= pull.addedChecks,
      `${where}: ${checkIds.size} names for ${pull.addedChecks} checks`,
    );
    for (const one of closing.splice(0)) await one.close();
  }
}

const numRuns = Number(process.env.POSTIL_HISTORIES ?? 12);

test('over pushes, rebases, merges, squashes, renames and moves no finding is raised twice, and none is lost', {
  timeout: 1_200_000,
}, async () => {
  await fc.assert(fc.asyncProperty(history(8), replay), { numRuns, endOnFailure: numRuns > 12 });
});

test('nor over a long history', { timeout: 1_200_000 }, async () => {
  await fc.assert(fc.asyncProperty(history(60), replay), {
    numRuns: Math.ceil(numRuns / 12),
    // Shrinking a long history would take hours.
    endOnFailure: true,
    // The same one each time; more of them are tried with POSTIL_HISTORIES.
    ...(numRuns === 12 && { seed: -1_106_086_150 }),
  });
});
