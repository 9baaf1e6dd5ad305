import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isFixture, isGeneratedPath } from '../src/reviewer/change/file-kinds.ts';
import { readChange } from '../src/reviewer/change/read-change.ts';
import { resolveConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import { newFindings } from '../src/reviewer/judge/new-findings.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { openTree } from '../src/reviewer/repository/tree-view.ts';
import { contracts } from '../src/reviewer/rules/contracts/contracts.ts';
import { docker } from '../src/reviewer/rules/docker/docker.ts';
import { kubernetes } from '../src/reviewer/rules/kubernetes/kubernetes.ts';
import { migrations } from '../src/reviewer/rules/migrations/migrations.ts';
import { terraform } from '../src/reviewer/rules/terraform/terraform.ts';
import { workflows } from '../src/reviewer/rules/workflows/workflows.ts';

// Reviews commits of real histories that change API descriptions, migrations or infrastructure, using only the rules about these.
// Prints how many files could be parsed, the duration and the findings.
// node bench/contracts.ts FOLDER… --kind contracts|migrations|infrastructure [--commits 50] [--out findings.jsonl]

const kinds = {
  contracts: {
    sources: [contracts],
    paths: [
      '*.proto',
      '*.graphql',
      '*.graphqls',
      '*openapi*.yaml',
      '*openapi*.yml',
      '*openapi*.json',
      '*swagger*.yaml',
      '*swagger*.yml',
      '*swagger*.json',
      'api/*.yaml',
      '*spec/api.json',
    ],
  },
  migrations: { sources: [migrations], paths: ['*migrations/*.sql', '*migrate/*.sql', '*migrations/*.py'] },
  infrastructure: {
    sources: [docker, terraform, kubernetes, workflows],
    paths: [
      '*Dockerfile*',
      '*compose*.y*ml',
      '*.tf',
      '.github/workflows/*',
      '*manifests*.yaml',
      '*deploy*.yaml',
      '*k8s*.yaml',
      '*kubernetes*.yaml',
    ],
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: 'string', default: 'contracts' },
    commits: { type: 'string', default: '50' },
    out: { type: 'string' },
  },
});
const { sources, paths } = kinds[values.kind as keyof typeof kinds];
const print = (line: string) => process.stdout.write(`${line}\n`);
const signal = new AbortController().signal;
const { reviews } = resolveConfiguration({});

interface Found {
  readonly path: string;
  readonly side: string;
  readonly startLine: number | null;
  readonly rule: string;
  readonly body: string;
}

type Repository = Awaited<ReturnType<typeof openRepository>>;

/** The findings of the sources for a commit, and the files that they could not parse. */
async function review(repository: Repository, base: string, head: string) {
  const change = await readChange(repository, { base, head });
  const trees = { base: openTree(repository, base), head: openTree(repository, head) };
  const [found, faults] = [[] as Found[], [] as string[]];
  try {
    for (const source of sources) {
      if ('compare' in source) {
        const { findings, notes } = await source.compare(
          { change, ...trees, hasRepository: true },
          reviews,
          signal,
        );
        found.push(...findings);
        faults.push(...notes.filter((note) => /^Not (?:compared|read)/.test(note)));
        continue;
      }
      for (const file of change.files) {
        if (
          !source.covers(file.path) ||
          file.kind === 'deleted' ||
          isFixture(file.path) ||
          isGeneratedPath(file.path)
        )
          continue;
        const [text, oldText] = [await file.newText(), await file.oldText()];
        if (text === undefined) continue;
        const examine = async (each: string) => ({
          lines: each.split('\n'),
          findings: (await source.find([{ path: file.path, text: each }], signal))[0]!,
        });
        const now = await examine(text);
        const isKnown =
          oldText !== undefined && source.understands?.({ path: file.path, text: oldText }) !== false;
        const before = isKnown ? await examine(oldText) : undefined;
        found.push(
          ...newFindings(file, now, before).map((finding) => ({ ...finding, path: file.path, side: 'new' })),
        );
      }
    }
  } catch (error) {
    faults.push(`failed: ${(error as Error).message}`);
  } finally {
    await Promise.all([change.close(), trees.base.close(), trees.head.close()]);
  }
  return { found, faults };
}

for (const folder of positionals) {
  const name = path.basename(folder);
  const git = (...given: string[]) =>
    execFileSync('git', ['-C', folder, ...given], { encoding: 'utf8', maxBuffer: 1e8 }).trim();
  const commits = git(
    'log',
    '--no-merges',
    '--format=%H %P',
    `-${values.commits}`,
    '--diff-filter=AMRD',
    '--',
    ...paths,
  ).split('\n');
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const rules: string[] = [];
  const times: number[] = [];
  const all: string[] = [];
  let [unread, absent] = [0, 0];
  for (const [head, base] of commits.map((line) => line.split(' '))) {
    if (head === undefined || base === undefined) continue;
    const start = performance.now();
    // A snapshot may lack large files.
    const reviewed = await review(repository, base, head).catch(() => undefined);
    if (reviewed === undefined) {
      absent += 1;
      continue;
    }
    const { found, faults } = reviewed;
    times.push(performance.now() - start);
    if (faults.length > 0) unread += 1;
    all.push(...faults);
    for (const { path: file, side, startLine, rule, body } of found) {
      rules.push(rule);
      const line = JSON.stringify({ name, head, file, side, startLine, rule, body: body.slice(0, 300) });
      if (values.out !== undefined) appendFileSync(values.out, `${line}\n`);
    }
  }
  await repository.close();
  const sorted = times.toSorted((a, b) => a - b);
  const counts = Object.entries(Object.groupBy(rules, (rule) => rule)).map(
    ([rule, list]) => `${rule} ${list!.length}`,
  );
  print(
    `${name}: ${times.length} commits (${absent} more lack files here), ${unread} with a fault, ${rules.length} findings, median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms; ${counts.join(', ')}`,
  );
  for (const fault of new Set(all.map((each) => each.slice(0, 160)))) print(`    ${fault}`);
}
