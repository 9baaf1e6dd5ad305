import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeRepository } from '../git-repository.ts';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A way to call the postil command of an installed package, such as `npx postil`. */
export interface Installed {
  /** The folder that contains `node_modules`. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** The PATH for programs; never contains the checkout that the package was made from. */
  readonly searchPath: string;
}

/** Packs the checkout with npm, and returns the path of the package. */
export async function packCheckout(destination: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: root });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  return path.join(destination, filename);
}

function environment({ searchPath }: Installed, variables: Record<string, string> = {}) {
  return { PATH: searchPath, HOME: process.env.HOME, POSTIL_PORT: '0', ...variables };
}

/** Runs a command of the package; a status other than 0 is not an error here. */
export async function runPostil(installed: Installed, given: readonly string[], cwd = installed.folder) {
  const [program, ...first] = installed.command;
  const child = spawn(program, [...first, ...given], { cwd, env: environment(installed) });
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** Starts a server by `postil start` or `postil demo`, and waits until it says that it is ready. */
export async function startPostil(installed: Installed, command: 'start' | 'demo') {
  const [program, ...first] = installed.command;
  const child = spawn(program, [...first, command], {
    cwd: installed.folder,
    env: environment(installed, { POSTIL_LOG_LEVEL: 'silent' }),
    detached: true,
  });
  const ended = once(child, 'close');
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  while (!/ready at http:\S+/.test(text)) {
    assert.equal(child.exitCode ?? child.signalCode, null, `it ended: ${text}`);
    await Promise.race([sleep(100), ended]);
  }
  const stop = async () => {
    // Some versions of npx and its shell do not forward signals, so the whole process group gets it, as from a terminal.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
    await ended;
    return child.exitCode;
  };
  return { url: /ready at (http:[^\s(]+)/.exec(text)![1]!, stop };
}

/** Creates a repository with one uncommitted faulty file for each rule source that runs in its own thread or program. */
async function faultyRepository() {
  const repository = await makeRepository({ 'README.md': 'A sample\n' });
  await repository.write({
    'task.py': 'import os\n\n\ndef first(items=[]):\n    return items[0]\n',
    'task.ts': 'export function task() {\n  try {\n    return 1;\n  } finally {\n    return 2;\n  }\n}\n',
    '.github/workflows/task.yml':
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
      'on: push\njobs:\n  task:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n',
  });
  return repository;
}

/** Runs `postil review` in a working copy, and checks that every rule source of the package reports something. */
export async function proveReview(installed: Installed): Promise<void> {
  const repository = await faultyRepository();
  const { code, out, err } = await runPostil(installed, ['review', '--format', 'json'], repository.folder);
  assert.deepEqual([code, err], [1, 'A finding is critical\n'], out);
  const { findings, status } = JSON.parse(out) as {
    status: string;
    findings: { source: { name: string } }[];
  };
  assert.equal(status, 'succeeded');
  const tools = new Set(findings.map(({ source }) => source.name.split('/')[0]));
  assert.deepEqual([...tools].sort(), ['actionlint', 'oxlint', 'ruff']);
}

/** Checks the pages and the API of a fresh server, including parts that run in their own threads. */
export async function proveServer(installed: Installed, url: string): Promise<void> {
  for (const page of ['/ready', '/', '/docs', '/docs/assets/swagger-ui-bundle.js', '/openapi.json']) {
    const response = await fetch(url + page);
    assert.equal(response.status, 200, page);
    await response.body?.cancel();
  }
  const home = await (await fetch(url)).text();
  assert.match(home, /src="\/assets\/[^"]+\.js"/, 'the dashboard is built');

  const platform = path.join(installed.folder, 'platform.yaml');
  await writeFile(
    platform,
    `organizations:
  - provider: github
    provider_organization_id: "1001"
    name: acme
    plan: enterprise
    subscription: active
    seats_purchased: 5
    seat_assignment_mode: automatic
    repositories: [{ provider_repository_id: "501", name: api }]
    members: [{ user_id: "9001", username: alice, email: alice@acme.test, role: cr_admin }]
`,
  );
  const applied = await runPostil(installed, ['apply', platform]);
  // npx may add warnings of npm's own to standard error.
  assert.equal(applied.code, 0, applied.err);
  const bound = ['--kind', 'organization', '--provider', 'github', '--org', '1001', '--owner', '9001'];
  const key = (await runPostil(installed, ['keys', 'create', '--name', 'ci', ...bound])).out.trim();

  async function call(address: string, body?: unknown) {
    const response = await fetch(url + address, {
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  await call('/v1/users/seats', { action: 'assign', user_ids: ['9001'] });
  const diff =
    'diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+import os\n';
  const started = await call('/v1/reviews', { repository_id: '501', diff });
  assert.equal(started.status, 202, JSON.stringify(started.body));
  let review = await call(`/v1/reviews/${started.body.id}`);
  while (['queued', 'running'].includes(String(review.body.status))) {
    await sleep(200);
    review = await call(`/v1/reviews/${started.body.id}`);
  }
  assert.equal(review.body.status, 'succeeded', JSON.stringify(review.body));

  // The embedding model runs in its own threads.
  const learning = 'Close database connections in a finally block.';
  const written = await call('/v1/learnings', { data: [{ repository_id: '501', learning }] });
  assert.equal(written.body.created_count, 1, JSON.stringify(written.body));
  const search = await call('/v1/learnings/search', { repository_id: '501', query: learning });
  const [found] = search.body.data as [{ reasons: { meaning: number } }];
  assert.ok(found.reasons.meaning > 0.9, JSON.stringify(search.body));
}
