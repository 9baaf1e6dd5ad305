import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { startTestApp } from '../../../test/harness.ts';
import { namesOfChecks } from '../checks/evaluate-checks.ts';
import { GitError } from '../repository/run-git.ts';
import { loadConfiguration } from './load-configuration.ts';
import { pathFilter } from './path-filters.ts';
import { postilFileSchema } from './postil-json-schema.ts';
import { readCodeRabbitFile } from './read-coderabbit-file.ts';
import { readPostilFile } from './read-postil-file.ts';
import { defaultConfiguration, resolveConfiguration } from './review-configuration.ts';

const whole = `
reviews:
  auto_review: { enabled: true, drafts: false, base_branches: [main], ignore_authors: [], labels: [] }
  path_filters: ["!dist/**"]
  path_instructions: [{ path: "src/api/**", instructions: "Check the limits." }]
  severity_floor: minor
  max_comments: 15
  fail_on: critical
  rules: { oxlint: true, ruff: true, actionlint: true, secrets: true, shell: true }
  model: { enabled: true }
knowledge_base:
  learnings: { approval_delay: 3 }
mcp: { servers: [tickets] }
language: en
`;

const faultsIn = (text: string) => {
  const read = readPostilFile(text);
  return 'faults' in read
    ? read.faults.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};

test('the documented file is valid, and so is an empty one', () => {
  assert.deepEqual(faultsIn(whole), []);
  assert.deepEqual(readPostilFile(''), { file: {} });
  assert.deepEqual(readPostilFile('# nothing\n'), { file: {} });
});

test('a glob with too many stars is a fault of the file', () => {
  assert.deepEqual(faultsIn(`reviews:\n  path_filters: ["${'*a'.repeat(30)}"]\n`), [
    '2:18 reviews.path_filters[0]: must not have more than 20 wildcards',
  ]);
});

test('every fault is reported with its line and column', () => {
  const text = [
    'reviews:',
    '  max_comments: many',
    '  fail_on: never',
    '  rules:',
    '    eslint: true',
    'colour: red',
  ].join('\n');
  assert.deepEqual(faultsIn(text), [
    '2:17 reviews.max_comments: must be a number',
    '3:12 reviews.fail_on: must be one of critical, major, minor, trivial, info, none',
    '5:5 reviews.rules.eslint: unknown field',
    '6:1 colour: unknown field',
  ]);
  assert.match(faultsIn('reviews: [')[0]!, /^\d+:\d+ /);
  assert.match(faultsIn('a: 1\na: 2')[0]!, /^2:1 Map keys must be unique/);
  assert.match(faultsIn('- a')[0]!, /^1:1 the file: must be an object/);
  assert.match(faultsIn(`x: &a [${'1,'.repeat(99)}1]\ny: [${'*a,'.repeat(99)}*a]`)[0]!, /alias/i);
});

test('the JSON Schema accepts and refuses the same files as the parser', () => {
  const validate = new Ajv2020({ strict: false }).compile(postilFileSchema());
  assert.ok(validate(parse(whole)), JSON.stringify(validate.errors));
  assert.ok(validate({}));
  for (const faulty of [
    { colour: 1 },
    { reviews: { fail_on: 'x' } },
    { reviews: { max_comments: -1 } },
    { reviews: { rules: { eslint: true } } },
  ])
    assert.ok(!validate(faulty), JSON.stringify(faulty));
});

test('a check that is off needs no settings, any other does; the JSON Schema agrees', () => {
  const validate = new Ajv2020({ strict: false }).compile(postilFileSchema());
  const faultsOf = (checks: string) => {
    const text = `checks: ${checks}`;
    const faults = faultsIn(text);
    assert.equal(validate(parse(text)), faults.length === 0, checks);
    return faults.map((fault) => fault.replace(/^1:\d+ checks\./, ''));
  };
  for (const off of [
    '{ title: { mode: off } }',
    '{ coverage: { mode: off } }',
    '{ title: { pattern: "^a", mode: off }, coverage: { changed_lines: 80, mode: off } }',
    '{ size: { mode: off }, owners: { mode: off } }',
    '{ together: [{ name: tests, mode: off }], ask: [{ name: polite, mode: off }] }',
  ])
    assert.deepEqual(faultsOf(off), [], off);
  for (const [faulty, fault] of [
    ['{ title: {} }', 'title.pattern: is required'],
    ['{ title: { mode: error } }', 'title.pattern: is required'],
    ['{ coverage: { mode: warning } }', 'coverage.changed_lines: is required'],
    ['{ ask: [{ name: polite }] }', 'ask[0].instructions: is required'],
    ['{ together: [{ mode: off }] }', 'together[0].name: is required'],
    ['{ title: { mode: loud } }', 'title.mode: must be one of error, warning, off'],
    ['{ title: { mode: off, colour: red } }', 'title.colour: unknown field'],
    ['{ title: off }', 'title: must be an object'],
  ] as const)
    assert.deepEqual(faultsOf(faulty), [fault], faulty);
});

test('a repository can turn off a default check of the organization with one field', () => {
  const organization = { checks: { title: { pattern: '^feat: ' }, size: { max_lines: 9 } } };
  const read = readPostilFile('checks: { title: { mode: off } }');
  assert.ok('file' in read);
  const { checks } = resolveConfiguration(organization, read.file);
  assert.deepEqual(checks, { title: { pattern: '^feat: ', mode: 'off' }, size: { max_lines: 9 } });
  assert.deepEqual(namesOfChecks([checks]), ['size']);
});

test('GET /schemas/postil.yaml.json gives the schema to everybody', async () => {
  const server = await startTestApp();
  const { status, json } = await server.get('/schemas/postil.yaml.json');
  assert.equal(status, 200);
  assert.deepEqual(json, JSON.parse(JSON.stringify(postilFileSchema())));
});

test('the file takes precedence over the organization, and that over the built-in defaults; lists are replaced', () => {
  const organization = {
    reviews: { max_comments: 5, path_filters: ['!a/**'], rules: { ruff: false } },
    language: 'de',
  };
  const file = { reviews: { path_filters: [], rules: { oxlint: false } } };
  const { reviews, language } = resolveConfiguration(organization, file);
  assert.deepEqual(
    [reviews.max_comments, reviews.path_filters, language, reviews.fail_on],
    [5, [], 'de', 'critical'],
  );
  assert.deepEqual(reviews.rules, { ...defaultConfiguration.reviews.rules, ruff: false, oxlint: false });
});

test('path filters: an exclusion always wins, and an inclusion leaves out everything else', () => {
  const verdicts = (filters: string[], ...paths: string[]) => paths.map(pathFilter(filters));
  assert.deepEqual(verdicts(['!dist/**', '!**/*.snap'], 'dist/a.js', 'x/y.snap', 'src/a.ts'), [
    'excluded',
    'excluded',
    'unmentioned',
  ]);
  assert.deepEqual(verdicts(['src/**', '!src/gen/**'], 'src/a.ts', 'src/gen/b.ts', 'docs/c.md'), [
    'included',
    'excluded',
    'excluded',
  ]);
  assert.deepEqual(verdicts(['!docs/'], 'docs/.hidden/a.md', 'docs.md'), ['excluded', 'unmentioned']);
  assert.deepEqual(verdicts([], 'a'), ['unmentioned']);
  assert.deepEqual(verdicts(['!/', '!./'], 'a'), ['unmentioned']);
  // Such a glob can be in stored settings from before it was refused. Matching it with a RegExp would take forever.
  const poison = `!${'*a'.repeat(30)}`;
  assert.deepEqual(verdicts([poison], `${'a'.repeat(200)}c.js`, 'a'.repeat(30)), ['unmentioned', 'excluded']);
});

test('.coderabbit.yaml is read as far as it has a counterpart, and the rest is named', () => {
  const read = readCodeRabbitFile(`
language: en-US
early_access: false
reviews:
  profile: assertive
  poem: true
  path_filters: ["!**/*.lock"]
  path_instructions: [{ path: "**/*.py", instructions: "PEP 8" }]
  auto_review:
    enabled: true
    drafts: true
    base_branches: ["develop", "^release/.*"]
    ignore_usernames: [renovate]
    ignore_title_keywords: [WIP]
  tools:
    ruff: { enabled: false }
    gitleaks: { enabled: true }
    hadolint: { enabled: true }
chat: { auto_reply: true }
`);
  assert.ok(!('faults' in read));
  assert.deepEqual(read.file, {
    language: 'en-US',
    reviews: {
      path_filters: ['!**/*.lock'],
      path_instructions: [{ path: '**/*.py', instructions: 'PEP 8' }],
      severity_floor: 'trivial',
      auto_review: {
        enabled: true,
        drafts: true,
        ignore_authors: ['renovate'],
        base_branches: ['main', 'master', 'develop', 'release/**'],
      },
      rules: { ruff: false, secrets: true },
    },
  });
  assert.deepEqual(read.ignored, [
    'early_access',
    'reviews.poem',
    'reviews.auto_review.ignore_title_keywords',
    'reviews.tools.hadolint.enabled',
    'chat.auto_reply',
  ]);
});

test('values of .coderabbit.yaml that .postil.yaml would refuse count as settings without a counterpart', () => {
  const read = readCodeRabbitFile(
    'language: 5\nreviews:\n  auto_review: { base_branches: ["(a|b)"] }\n  path_filters: "x"\n',
  );
  assert.deepEqual(read, {
    file: {},
    ignored: ['language', 'reviews.auto_review.base_branches', 'reviews.path_filters'],
  });
});

test('a file that is too large, nested too deeply or missing locally results in the defaults and a note', async () => {
  const loaded = await loadConfiguration(() =>
    Promise.reject(new GitError('too_much', 'more than can be read')),
  );
  assert.deepEqual(loaded.configuration, defaultConfiguration);
  assert.match(
    loaded.notes[0]!,
    /^\.postil\.yaml is invalid, so the defaults apply: .* more than 262144 characters$/,
  );
  const deep = await loadConfiguration(async (name) =>
    name === '.postil.yaml' ? 'reviews: '.concat('['.repeat(20_000)) : undefined,
  );
  assert.match(deep.notes[0]!, /nested too deeply/);
  const absent = await loadConfiguration(async () => null);
  assert.deepEqual(absent.configuration, defaultConfiguration);
  assert.deepEqual(absent.notes, [
    '.postil.yaml could not be read, so the defaults apply: its content is not available',
  ]);
});

test('a faulty file results in the defaults and a note; .postil.yaml takes precedence over .coderabbit.yaml', async () => {
  const load = (files: Record<string, string>) => loadConfiguration(async (name) => files[name]);
  const faulty = await load({ '.postil.yaml': 'language: 5', '.coderabbit.yaml': 'language: de' });
  assert.deepEqual([faulty.configuration, faulty.file], [defaultConfiguration, null]);
  assert.match(
    faulty.notes[0]!,
    /^\.postil\.yaml is invalid, so the defaults apply: line 1, column 11: language: must be text$/,
  );
  const foreign = await load({ '.coderabbit.yaml': 'language: de\nreviews: { poem: true }' });
  assert.deepEqual(
    [foreign.configuration.language, foreign.notes],
    ['de', ['.coderabbit.yaml: no counterpart for reviews.poem']],
  );
  assert.equal((await load({ '.postil.yml': 'language: fr' })).configuration.language, 'fr');
});
