import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CheckSettings } from '../configuration/checks-shape.ts';
import { readPostilFile } from '../configuration/read-postil-file.ts';
import type { CheckFacts, PullRequestFacts } from './check-facts.ts';
import { evaluateAll, evaluateChecks } from './evaluate-checks.ts';
import { findIssueReferences } from './pull-request-checks.ts';

const nothing: CheckFacts = {
  pullRequest: null,
  unread: null,
  files: [],
  commits: [],
  owned: null,
  findings: [],
  unreviewed: null,
  coverage: null,
  coverageFaults: [],
  answerTo: () => ({ verdict: 'skipped', text: 'Nobody asks.' }),
};
const somePull: PullRequestFacts = {
  title: 'feat: one',
  description: '',
  issues: [],
  approvals: { by: [], teams: [], group: '@acme', unknown: null },
};
const file = (path: string, added = 1, removed = 0, isDeleted = false) => ({
  path,
  added,
  removed,
  isDeleted,
});

/** The verdicts on a change, as `name: verdict text`. */
function verdicts(settings: CheckSettings, facts: Partial<CheckFacts> = {}): string[] {
  return evaluateChecks(settings, { ...nothing, ...facts }).map(
    ({ name, verdict, text }) => `${name}: ${verdict}: ${text}`,
  );
}

describe('size', () => {
  const size = { max_lines: 10, max_files: 2, ignore: ['**/*.lock'] };

  it('counts added and deleted lines, except in ignored files', () => {
    const files = [file('a.ts', 6, 4), file('deep/yarn.lock', 5_000)];
    assert.deepEqual(verdicts({ size }, { files }), ['size: passed: 10 changed lines in 1 file.']);
  });

  it('says by how much a change is too large', () => {
    const files = [file('a.ts', 6, 4), file('b.ts', 1_200), file('c.ts', 0, 1)];
    assert.deepEqual(verdicts({ size }, { files }), [
      'size: failed: The change is too large: 1,211 changed lines, 10 allowed; 3 files, 2 allowed.',
    ]);
  });
});

describe('commits', () => {
  it('finds commits to be squashed, and titles without a type, but accepts titles that Git generates', () => {
    const commits = ['fixup! feat: one', 'feat(api)!: two', 'Three', 'Revert "feat: x"'];
    assert.deepEqual(verdicts({ commits: { no_fixup: true, conventional: true } }, { commits }), [
      'commits: failed: Commits to be squashed: "fixup! feat: one"; without a type such as "fix: " in the title: "Three".',
    ]);
    assert.deepEqual(verdicts({ commits: { no_fixup: true } }, { commits: ['Three'] }), [
      'commits: passed: 1 commit.',
    ]);
  });

  it('is skipped if there is no commit yet', () => {
    assert.deepEqual(verdicts({ commits: { no_fixup: true } }), [
      'commits: skipped: This change has no commits.',
    ]);
  });
});

describe('together', () => {
  const settings: CheckSettings = {
    together: [
      { name: 'tests', when: ['src/**', '!**/*.test.ts'], require: ['**/*.test.ts', '**/*.spec.ts'] },
      {
        name: 'docs',
        when: ['src/**/routes.ts'],
        require: ['openapi.json'],
        message: 'Run npm run generate',
      },
    ],
  };

  it('is skipped if nothing in its scope changed', () => {
    assert.deepEqual(verdicts(settings, { files: [file('src/a.test.ts')] }), [
      'tests: skipped: Nothing in src/**, !**/*.test.ts changed.',
      'docs: skipped: Nothing in src/**/routes.ts changed.',
    ]);
  });

  it('requires one of the required files to be changed; a deleted one does not count', () => {
    const files = [file('src/x/routes.ts'), file('src/x/a.spec.ts'), file('openapi.json', 0, 9, true)];
    assert.deepEqual(verdicts(settings, { files }), [
      'tests: passed: src/x/a.spec.ts was changed with src/x/routes.ts.',
      'docs: failed: src/x/routes.ts changed, but nothing in openapi.json. Run npm run generate.',
    ]);
  });
});

describe('findings', () => {
  it('allows a number of findings of each severity, and ignores severities without a limit', () => {
    const findings = ['critical', 'major', 'major', 'info', 'info'] as const;
    assert.deepEqual(verdicts({ findings: { critical: 0, major: 2 } }, { findings }), [
      'findings: failed: Open: 1 critical, 0 allowed.',
    ]);
    assert.deepEqual(verdicts({ findings: { major: 2 } }, { findings }), [
      'findings: passed: Open: 2 major.',
    ]);
  });
});

describe('coverage', () => {
  const coverage = { changed_lines: 80 };
  const files = [file('a.ts', 50), file('b.ts', 10)];
  const of = (...run: [path: string, lines: number, run: number][]) => ({
    files: run.map(([path, lines, ran]) => ({ path, lines, run: ran })),
    absent: [],
    matched: run.length,
    unmatched: ['/build/x.ts'],
    unread: 0,
  });

  it('lists the covered lines of each file, the largest gaps first, and the total of files', () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => [`${index}.ts`, 100, 100] as [string, number, number],
    );
    const facts = { ...nothing, files, coverage: of(...many, ['b.ts', 10, 2]) };
    const [verdict] = evaluateChecks({ coverage }, facts);
    assert.deepEqual(verdict!.files?.[0], { path: 'b.ts', lines: 10, run: 2 });
    assert.deepEqual([verdict!.files?.length, verdict!.total_files], [50, 61]);
  });

  it('is computed over all added lines together, and is never rounded up to the required percentage', () => {
    assert.deepEqual(verdicts({ coverage }, { files, coverage: of(['a.ts', 30, 30], ['b.ts', 10, 2]) }), [
      'coverage: passed: Tests run 80 % of the executable added lines (40 lines); not in this repository: /build/x.ts.',
    ]);
    assert.deepEqual(verdicts({ coverage }, { files, coverage: of(['a.ts', 1999, 1599], ['b.ts', 1, 0]) }), [
      'coverage: failed: Tests run 79.9 % of the executable added lines (2,000 lines), 80 % required: a.ts (400 not run), b.ts (1 not run); not in this repository: /build/x.ts.',
    ]);
  });

  it('is inconclusive without a report, and with one that cannot be parsed or is about other files', () => {
    assert.deepEqual(verdicts({ coverage }, { files }), [
      'coverage: inconclusive: There is no coverage report for this version.',
    ]);
    assert.deepEqual(verdicts({ coverage }, { files, coverageFaults: ['c.xml: broken'] }), [
      'coverage: inconclusive: A coverage report cannot be read: c.xml: broken.',
    ]);
    assert.deepEqual(verdicts({ coverage }, { files, coverage: of() }), [
      'coverage: inconclusive: The report covers no file of this repository; not in this repository: /build/x.ts.',
    ]);
  });

  it('is skipped if no code is added, or none that can be run', () => {
    assert.deepEqual(verdicts({ coverage }, { files: [file('README.md')] }), [
      'coverage: skipped: The change adds no code.',
    ]);
    const none = { ...of(), matched: 3, unmatched: [] };
    assert.deepEqual(verdicts({ coverage }, { files, coverage: none }), [
      'coverage: skipped: None of the added lines is executable.',
    ]);
  });

  it('names files missing in the report and counts unreadable lines; code that no test loads does not count as tested', () => {
    const odd = { absent: ['c.ts'], unmatched: [], unread: 2 };
    assert.deepEqual(verdicts({ coverage }, { files, coverage: { ...of(['a.ts', 5, 5]), ...odd } }), [
      'coverage: passed: Tests run 100 % of the executable added lines (5 lines); not in the report: c.ts; 2 lines of the report cannot be read.',
    ]);
    assert.deepEqual(verdicts({ coverage }, { files, coverage: { ...of(), ...odd, matched: 3 } }), [
      'coverage: inconclusive: The report contains none of the added lines; not in the report: c.ts; 2 lines of the report cannot be read.',
    ]);
  });
});

it('a check that is off has no verdict; without a mode it is a warning', () => {
  const settings: CheckSettings = {
    size: { max_lines: 1 },
    commits: { mode: 'off' },
    title: { pattern: '^feat', mode: 'error' },
  };
  assert.deepEqual(
    evaluateChecks(settings, nothing).map(({ name, mode, verdict }) => [name, mode, verdict]),
    [
      ['title', 'error', 'skipped'],
      ['size', 'warning', 'passed'],
    ],
  );
});

describe('settings', () => {
  const faultsOf = (text: string) => {
    const read = readPostilFile(text);
    return 'faults' in read ? read.faults.map(({ line, message }) => `${line}: ${message}`) : [];
  };

  it('two checks with the same name are an error in the file', () => {
    const check = (name: string) => `    - { name: ${name}, when: ["a"], require: ["b"] }\n`;
    assert.deepEqual(faultsOf(`checks:\n  together:\n${check('size')}${check('docs')}${check('docs')}`), [
      '3: checks.together[0].name: another check is called size',
      '5: checks.together[2].name: another check is called docs',
    ]);
  });

  it('a pattern that could run for seconds is refused, and so is an invalid one', () => {
    for (const pattern of ['(a)\\\\1', '(?<=a+)b(', '('])
      assert.match(
        faultsOf(`checks:\n  title: { pattern: "${pattern}" }\n`).join(),
        /^2: checks\.title\.pattern: /,
      );
    assert.deepEqual(faultsOf('checks:\n  title: { pattern: "^(a+)+$" }\n'), []);
  });

  it('an unknown check is named with its line', () => {
    assert.deepEqual(faultsOf('checks:\n  spelling: { mode: error }\n'), [
      '2: checks.spelling: unknown field',
    ]);
  });
});

describe('pull requests', () => {
  const pull = (given: Partial<PullRequestFacts>) => ({
    pullRequest: { ...somePull, ...given },
  });

  it('title', () => {
    const title = { pattern: '^(feat|fix): .+' };
    assert.deepEqual(verdicts({ title }, pull({})), ['title: passed: The title matches the pattern.']);
    assert.deepEqual(verdicts({ title }, pull({ title: 'One' })), [
      'title: failed: The title does not match ^(feat|fix): .+.',
    ]);
  });

  it('description: comments of a template do not count, nor does a heading with nothing below it', () => {
    const description = { min_length: 5, sections: ['Why', 'How to test'] };
    const said = '## Why\n<!-- say why -->\n\n### How to test:\n- run it\n<!-- never closed';
    assert.deepEqual(verdicts({ description }, pull({ description: said })), [
      'description: passed: The description has 34 characters.',
    ]);
    const empty = '## Why\n<!-- say why -->\n## How to test\n```\n# Why\nno heading\n```\n';
    assert.deepEqual(verdicts({ description }, pull({ description: empty })), [
      'description: failed: The description is not complete: missing or empty sections: "Why".',
    ]);
    const underlined = 'Why\n---\nIt was slow.\n\nHow to test\n===\n- [ ] run it\n';
    assert.match(verdicts({ description }, pull({ description: underlined }))[0]!, /^description: passed/);
    const unticked = 'Why\n---\n- [ ]\n* \n\n## How to test\n---\nrun it';
    assert.deepEqual(verdicts({ description }, pull({ description: unticked })), [
      'description: failed: The description is not complete: missing or empty sections: "Why".',
    ]);
    assert.deepEqual(verdicts({ description }, pull({ description: '<!-- a long template -->' })), [
      'description: failed: The description is not complete: it has 0 characters, at least 5 are required; missing or empty sections: "Why", "How to test".',
    ]);
  });

  it('linked issues: numbers and addresses of the host must exist, others are named by patterns', () => {
    const issue = (exists: boolean) => pull({ issues: [{ reference: '#7', exists }] });
    assert.deepEqual(verdicts({ linked_issue: {} }, issue(true)), ['linked_issue: passed: #7 is linked.']);
    assert.deepEqual(verdicts({ linked_issue: {} }, issue(false)), [
      'linked_issue: failed: There is no such issue: #7.',
    ]);
    assert.deepEqual(verdicts({ linked_issue: {} }, pull({})), [
      'linked_issue: failed: No issue is linked, and neither the title nor the description mentions one.',
    ]);
    const patterns = ['\\b[A-Z]+-\\d+\\b'];
    assert.deepEqual(verdicts({ linked_issue: { patterns } }, pull({ description: 'for SHOP-12' })), [
      'linked_issue: passed: An issue is mentioned.',
    ]);
  });

  it('issues are found as people write them', () => {
    const description =
      'Fixes #12, closes:#13 (acme/shop#14). See https://git.test/acme/shop/issues/15 and https://git.test/a/b/-/issues/16. <!-- #17 --> not a#b, `#18`, #0 or x#1';
    assert.deepEqual(
      findIssueReferences({ title: 'feat: one (#11)', description }, 'https://git.test').map(
        ({ repository, number }) => [repository, number],
      ),
      [
        [null, 11],
        [null, 12],
        [null, 13],
        ['acme/shop', 14],
        ['acme/shop', 15],
        ['a/b', 16],
      ],
    );
  });

  it('no text makes them slow', () => {
    for (const description of [
      '.'.repeat(200_000),
      'a/'.repeat(100_000),
      '<!--'.repeat(50_000),
      '#'.repeat(200_000),
      '`'.repeat(199_999),
      '-'.repeat(200_000),
      'a\n---\n'.repeat(30_000),
    ]) {
      const facts = pull({ description: `${description}a` });
      verdicts({ description: { sections: ['a'] }, linked_issue: { patterns: ['(a|a)*b'] } }, facts);
      findIssueReferences(facts.pullRequest, 'https://git.test');
    }
  });
});

it('the findings check is inconclusive until everything was reviewed, unless there are too many already', () => {
  const unreviewed = 'This version is not reviewed yet.';
  const settings: CheckSettings = { findings: { critical: 0 } };
  assert.deepEqual(verdicts(settings, { unreviewed }), [`findings: inconclusive: ${unreviewed}`]);
  assert.deepEqual(verdicts(settings, { unreviewed, findings: ['critical'] }), [
    'findings: failed: Open: 1 critical, 0 allowed.',
  ]);
});

it('if a change cannot be read, the checks about it are inconclusive', () => {
  const settings: CheckSettings = { title: { pattern: 'a' }, size: { max_lines: 1 } };
  assert.deepEqual(verdicts(settings, { unread: 'too large', pullRequest: { ...somePull, title: 'a' } }), [
    'title: passed: The title matches the pattern.',
    'size: inconclusive: The change could not be read: too large.',
  ]);
});

describe('owners', () => {
  const group = (owners: string[], path: string, approvals = 1) => ({
    owners,
    approvals,
    paths: [path],
    files: 1,
  });
  const approvedBy = (...by: string[][]) => ({
    pullRequest: {
      ...somePull,
      approvals: {
        by: by.map((names) => ({ username: names[0]!.slice(1), names })),
        teams: ['@acme/shop'],
        group: '@acme',
        unknown: null,
      },
    },
  });
  const owned = {
    groups: [group(['@Bob', '@acme/shop'], 'src/a.ts'), group(['docs@acme.test'], 'docs/a.md')],
    files: 2,
    unowned: 1,
    unread: null,
  };

  it('each group of owners approves for itself, by name, address or team', () => {
    const approved = approvedBy(['@eve', '@acme/shop'], ['@ann', 'docs@acme.test']);
    assert.deepEqual(verdicts({ owners: {} }, { owned, ...approved }), [
      'owners: passed: Owners of 2 files approved; 1 file has no owner.',
    ]);
    assert.deepEqual(verdicts({ owners: {} }, { owned, ...approvedBy(['@bob']) }), [
      'owners: failed: Approvals are missing: from docs@acme.test for docs/a.md.',
    ]);
  });

  it('as many approvals are needed as the check or CODEOWNERS requires', () => {
    const two = { groups: [group(['@bob', '@ann'], 'a.ts', 2)], files: 1, unowned: 0, unread: null };
    assert.deepEqual(verdicts({ owners: {} }, { owned: two, ...approvedBy(['@bob']) }), [
      'owners: failed: Approvals are missing: from @bob or @ann for a.ts (1 of 2).',
    ]);
    assert.deepEqual(
      verdicts({ owners: { approvals: 2 } }, { owned: two, ...approvedBy(['@bob'], ['@ann']) }),
      ['owners: passed: Owners of 1 file approved.'],
    );
  });

  it('is inconclusive if the members of a team or the approvals are not known', () => {
    const team = { groups: [group(['@acme/unknown'], 'a.ts')], files: 1, unowned: 0, unread: null };
    assert.deepEqual(verdicts({ owners: {} }, { owned: team, ...approvedBy(['@bob']) }), [
      'owners: inconclusive: Approvals are missing: from @acme/unknown for a.ts. The members of @acme/unknown are not known here.',
    ]);
    // GitLab counts direct members of a group, who are not known here.
    const own = { groups: [group(['@Acme', '@ann'], 'a.ts')], files: 1, unowned: 0, unread: null };
    assert.deepEqual(verdicts({ owners: {} }, { owned: own, ...approvedBy(['@bob']) }), [
      'owners: inconclusive: Approvals are missing: from @Acme or @ann for a.ts. The members of @Acme are not known here.',
    ]);
    const unknown = { ...somePull, approvals: { by: [], teams: [], group: '', unknown: 'it refuses' } };
    assert.deepEqual(verdicts({ owners: {} }, { owned, pullRequest: unknown }), [
      'owners: inconclusive: The host does not say who approved: it refuses.',
    ]);
  });

  it('is skipped if no changed file has an owner', () => {
    assert.deepEqual(verdicts({ owners: {} }, { pullRequest: somePull }), [
      'owners: skipped: There is no CODEOWNERS file.',
    ]);
    const none = { groups: [], files: 0, unowned: 2, unread: null };
    assert.deepEqual(verdicts({ owners: {} }, { pullRequest: somePull, owned: none }), [
      'owners: skipped: The changed files have no owners (2 files).',
    ]);
  });

  it('is inconclusive if CODEOWNERS has lines that only the host can parse', () => {
    const none = { groups: [], files: 0, unowned: 2, unread: '1 line is odd' };
    assert.deepEqual(verdicts({ owners: {} }, { pullRequest: somePull, owned: none }), [
      'owners: inconclusive: The owners of the changed files are not known: 1 line is odd.',
    ]);
    const some = { ...owned, unread: '2 lines are odd' };
    const approved = approvedBy(['@eve', '@acme/shop'], ['@ann', 'docs@acme.test']);
    assert.deepEqual(verdicts({ owners: {} }, { owned: some, ...approved }), [
      'owners: inconclusive: It is not known whether all owners approved: 2 lines are odd.',
    ]);
    assert.match(verdicts({ owners: {} }, { owned: some, ...approvedBy(['@bob']) })[0]!, /^owners: failed/);
  });
});

it('of several settings for a check all apply, with the strictest mode; none can turn off the check of another', () => {
  const enforced: CheckSettings = { size: { max_lines: 10, mode: 'error' }, commits: { no_fixup: true } };
  const said = (own: CheckSettings, lines: number) =>
    evaluateAll([enforced, own], { ...nothing, files: [file('a.ts', lines)] }).map(
      ({ name, mode, verdict }) => `${name} ${mode} ${verdict}`,
    );
  assert.deepEqual(said({ size: { max_lines: 100, mode: 'off' } }, 20), [
    'size error failed',
    'commits warning skipped',
  ]);
  assert.deepEqual(said({ size: { max_lines: 100 }, commits: { mode: 'error' } }, 20), [
    'size error failed',
    'commits error skipped',
  ]);
  assert.deepEqual(said({ size: { max_lines: 5, mode: 'warning' } }, 8), [
    'size error failed',
    'commits warning skipped',
  ]);
  assert.deepEqual(said({}, 8), ['size error passed', 'commits warning skipped']);
});
