import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readChange } from '../src/reviewer/change/read-change.ts';
import { defaultConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { runGit } from '../src/reviewer/repository/run-git.ts';
import { openTree } from '../src/reviewer/repository/tree-view.ts';
import { dependencies } from '../src/reviewer/rules/dependencies/dependencies.ts';

// Reviews the changes of manifests and lock files in real histories:
// npm run bench:dependencies -- FOLDER [COMMITS]
// FOLDER contains repositories (bare or not). The last COMMITS (default 200) of each that change such files are compared with
// their parents. Every finding is printed, to be judged by hand.

const [folder, count = '200'] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder with repositories');
const { signal } = new AbortController();
const write = (text: string) => process.stdout.write(`${text}\n`);
const names =
  'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml requirements*.txt pyproject.toml poetry.lock pdm.lock uv.lock Pipfile Pipfile.lock go.mod go.sum Cargo.toml Cargo.lock pom.xml gradle.lockfile Gemfile Gemfile.lock composer.json composer.lock *.csproj Directory.Packages.props packages.lock.json'.split(
    ' ',
  );
const pathspecs = [...names.map((name) => `:(glob)**/${name}`), ':(glob).github/workflows/*'];
const total = { repositories: 0, commits: 0, files: 0, unread: 0, changes: 0, findings: 0 };

for (const name of (await readdir(folder)).sort()) {
  const place = await findRepository(path.join(folder, name));
  if (place === undefined) continue;
  const repository = await openRepository(place, { searchPath: process.env.PATH });
  const said = await runGit(
    ['log', '--no-merges', '--format=%H %P', `-n${count}`, 'HEAD', '--', ...pathspecs],
    repository.call,
  );
  const own = { commits: 0, files: 0, unread: 0, changes: 0, findings: 0, ms: 0 };
  for (const line of said.toString().split('\n')) {
    const [head, base] = line.split(' ');
    if (base === undefined || base === '') continue;
    const sides = await open(repository, base, head!, name);
    if (sides === undefined) continue; // a snapshot may lack files
    const started = performance.now();
    const result = await dependencies.compare(sides, defaultConfiguration.reviews, signal);
    own.ms = Math.max(own.ms, performance.now() - started);
    own.commits += 1;
    own.files += sides.change.files.filter((file) => dependencies.covers(file.path)).length;
    own.unread += result.unread.length;
    own.changes += result.report.total_dependencies ?? 0;
    own.findings += result.findings.length;
    for (const note of result.notes) write(`NOTE ${name} ${head!.slice(0, 10)} ${note}`);
    for (const { rule, path: file, startLine, body } of result.findings)
      write(`${rule} ${name} ${head!.slice(0, 10)} ${file}:${startLine} ${body.split('. ')[0]}`);
    await Promise.all([sides.change.close(), sides.base.close(), sides.head.close()]);
  }
  await repository.close();
  write(`== ${name}: ${JSON.stringify({ ...own, ms: Math.round(own.ms) })}`);
  total.repositories += 1;
  for (const key of ['commits', 'files', 'unread', 'changes', 'findings'] as const) total[key] += own[key];
}
write(`== all: ${JSON.stringify(total)}`);

async function findRepository(place: string): Promise<string | undefined> {
  const held: string[] = await readdir(place).catch(() => []);
  if (held.includes('HEAD') || held.includes('.git')) return place;
  const inner = held.find((each) => !each.startsWith('.'));
  return inner === undefined ? undefined : findRepository(path.join(place, inner));
}

async function open(repository: Parameters<typeof openTree>[0], base: string, head: string, owner?: string) {
  try {
    const change = await readChange(repository, { base, head });
    const trees = { base: openTree(repository, base), head: openTree(repository, head) };
    // Mirrors are in folders named OWNER+NAME.
    return {
      change,
      ...trees,
      hasRepository: true,
      owner: owner?.includes('+') ? owner.split('+')[0] : undefined,
    };
  } catch {
    return undefined;
  }
}
