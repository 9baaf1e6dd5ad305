import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { childEnvironment } from '../child-environment.ts';
import { removeFolder } from '../remove-folder.ts';
import type { Step } from './guide.ts';
import { startGuideHosts } from './guide-hosts.ts';
import { putQuickNpmFirst } from './quick-npm.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
const inCheckout = ['package.json', 'src', 'docs', 'node_modules', 'dashboard', '.npmrc'];
const addressInGuides = 'http://127.0.0.1:8787';

function start(dataDirectory: string) {
  return startServer(
    readSettings({ POSTIL_PORT: '0', POSTIL_DATA_DIR: dataDirectory, POSTIL_LOG_LEVEL: 'silent' }),
  );
}

/** Creates the data folder of a server that was started once; each guide gets a copy, which saves the first start. */
export async function prepareFreshData(directory: string): Promise<void> {
  await (await start(directory)).stop();
  await rm(path.join(directory, 'operator-token'));
}

/**
 * Creates a checkout, a fresh server and a shell, as a newcomer has them. The checkout contains nothing that the guide did not
 * create. With `npm` as `quick`, commands of Postil run without npm.
 */
export async function openNewcomer(freshData: string, npm: 'itself' | 'quick') {
  const checkout = await mkdtemp(path.join(tmpdir(), 'postil-guide-'));
  for (const name of inCheckout) await symlink(path.join(root, name), path.join(checkout, name));
  // With so many files, copying them in Node takes eight times as long.
  await run('cp', ['-a', freshData, path.join(checkout, 'data')]);
  const server = await start(path.join(checkout, 'data'));

  const hosts = await startGuideHosts(checkout);
  const addresses = new Map([[addressInGuides, server.url], ...hosts.addresses]);
  const inGuide = (text: string) =>
    [...addresses].reduce((shown, [guide, real]) => shown.replaceAll(real, guide), text);
  const here = (text: string) =>
    [...addresses].reduce((written, [guide, real]) => written.replaceAll(guide, real), text);

  /**
   * Runs the steps in one shell, up to the first that fails; returns the output of each, both streams combined as on a terminal.
   */
  async function follow(steps: readonly Step[]): Promise<{ output: string; hasFailed: boolean }[]> {
    const scripts = await mkdtemp(path.join(checkout, '.guide-'));
    const place = (index: number, name: string) => path.join(scripts, `${index}.${name}`);
    const driver = ['set -E', "trap 'failed=1' ERR"];
    for (const [index, { commands }] of steps.entries()) {
      await writeFile(place(index, 'sh'), `${here(commands)}\n`);
      driver.push(
        `failed=0; . ${place(index, 'sh')} > ${place(index, 'out')} 2>&1 < /dev/null`,
        `echo $failed > ${place(index, 'failed')}; [ $failed = 0 ] || exit 0`,
      );
    }
    const { PATH = '' } = childEnvironment;
    const env = {
      ...childEnvironment,
      PATH: npm === 'itself' ? PATH : await putQuickNpmFirst(path.join(scripts, 'bin'), checkout, PATH),
      HOME: checkout,
      LANG: 'C.UTF-8',
    };
    await run('bash', ['-c', driver.join('\n')], { cwd: checkout, env });
    const results = [];
    for (const index of steps.keys()) {
      const failed = await readFile(place(index, 'failed'), 'utf8').catch(() => undefined);
      if (failed === undefined) break;
      const output = inGuide(await readFile(place(index, 'out'), 'utf8'));
      results.push({ output, hasFailed: failed.trim() !== '0' });
    }
    return results;
  }

  async function leave(): Promise<void> {
    await server.stop();
    await hosts.stop();
    await removeFolder(checkout);
  }
  return { follow, leave };
}
