import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts';
import type { ForgePull, ForgeRepository, ForgeUser } from '../../test/hosts/forge/forge-data.ts';
import { hostToken } from '../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../test/hosts/gitea/gitea-double.ts';
import { people, repositories } from './week.ts';

/** The company on its Git host, with real repositories. */
export interface Company {
  readonly host: GiteaDouble;
  readonly organizationId: number;
  readonly admin: ForgeUser;
  readonly people: readonly ForgeUser[];
  readonly repositories: readonly ForgeRepository[];
  readonly open: ForgePull[];
  readonly random: SeededRandom;
  openPull(): Promise<void>;
  /** Pushes to an open pull request; false if none is open. */
  push(): Promise<boolean>;
  /** Merges or closes an open pull request, preferring older ones; false if there are too few. */
  end(): Promise<boolean>;
  somePull(): ForgePull | undefined;
}

async function git(folder: string, given: readonly string[], input = ''): Promise<string> {
  const child = spawn('git', ['-C', folder, ...given], { stdio: ['pipe', 'pipe', 'pipe'] });
  // If Git ends without reading its input, its exit status tells why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      said[name] += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`git ${given[0]}: ${said.stderr}`);
  return said.stdout;
}

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Commits onto a branch without a working copy; returns the commit. */
async function commit(
  folder: string,
  ref: string,
  files: Readonly<Record<string, string>>,
  parents: readonly string[],
): Promise<string> {
  const [from, ...merged] = parents;
  const seconds = Math.floor(Date.now() / 1_000);
  const stream = [
    `commit ${ref}\ncommitter Ann <ann@acme.test> ${seconds} +0000\n${data('a change')}`,
    ...(from === undefined ? [] : [`from ${from}\n`]),
    ...merged.map((parent) => `merge ${parent}\n`),
    ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
  ];
  await git(folder, ['fast-import', '--quiet', '--force'], stream.join(''));
  return (await git(folder, ['rev-parse', ref])).trim();
}

const typeScript = (name: string, index: number) =>
  `export function ${name}${index}(items: readonly number[]): number {\n  let sum = 0;\n  for (const item of items) sum += item * ${index};\n  return sum;\n}\n\n`;
const python = (name: string, index: number) =>
  `def ${name}_${index}(items):\n    """Adds up."""\n    return sum(item * ${index} for item in items)\n\n\n`;
/** Code with a fault that reviews report. */
const faulty =
  'export function load(name: string): string {\n  try {\n    return name;\n  } finally {\n    return "";\n  }\n}\n';
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** The files of a pull request: about 100 lines in two languages. A third of them have a fault that the next push removes. */
function changeOf(pull: string, version: number): Record<string, string> {
  const isFaulty = Number.parseInt(pull, 36) % 3 === 0 && version % 2 === 1;
  return {
    [`src/feature-${pull}.ts`]: `${isFaulty ? faulty : ''}${repeat(8 + (version % 4), (index) => typeScript(`total${pull}v${version}x`, index))}`,
    [`jobs/job_${pull}.py`]: repeat(6, (index) => python(`total_${pull}_${version}`, index)),
  };
}

async function makeTemplate(folder: string): Promise<void> {
  await git('/', ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder]);
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, file) => [
      `src/module-${file}.ts`,
      repeat(10, (index) => typeScript(`sum${file}x`, index)),
    ]),
  );
  await commit(
    folder,
    'refs/heads/main',
    { ...files, 'readme.md': 'A project.\n', 'package.json': '{"name":"project","version":"1.0.0"}\n' },
    [],
  );
}

/** The number of open pull requests at any time. */
const openAtOnce = 80;

/** Starts a company's Git host, with its repositories in a folder. */
export async function startCompany(folder: string): Promise<Company> {
  const host = await new GiteaDouble().start();
  const random = seededRandom(38);
  const { state } = host;
  // The host's clock starts a week ago and advances by a minute per action, so that the simulated week ends about now.
  state.now = new Date(Date.now() - 7 * 86_400_000);
  const account = state.addUser('postil-bot', { isBot: true });
  const everybody = Array.from({ length: people }, (_, index) => state.addUser(`person-${index}`));
  const [admin] = everybody;
  const organization = state.addOrganization('acme', account, ...everybody);
  organization.owners.add(admin!.id);
  host.tokens.set(hostToken, account);
  const template = path.join(folder, 'template.git');
  await makeTemplate(template);
  const all: ForgeRepository[] = [];
  for (let index = 0; index < repositories; index += 1) {
    const name = `service-${index}`;
    const bare = path.join(folder, `${name}.git`);
    await cp(template, bare, { recursive: true });
    all.push(state.addRepository(organization, name, { folder: bare }));
  }
  const open: ForgePull[] = [];
  let serial = 0;
  const names = new Map<ForgePull, string>();

  const refOf = (number: number) => `refs/pull/${number}/head`;
  const developers = everybody.slice(0, 300);
  const diffOf = (bare: string, head: string) => git(bare, ['diff', `main...${head}`]);

  return {
    host,
    organizationId: organization.id,
    admin: admin!,
    people: everybody,
    repositories: all,
    open,
    random,
    somePull: () => (open.length === 0 ? undefined : random.pick(open)),
    async openPull() {
      const repository = random.pick(all);
      const bare = repository.folder!;
      const name = (++serial).toString(36);
      const number = Math.max(0, ...repository.pulls.keys()) + 1;
      const base = (await git(bare, ['rev-parse', 'main'])).trim();
      const head = await commit(bare, refOf(number), changeOf(name, 1), [base]);
      const diff = await diffOf(bare, head);
      const pull = state.open(repository, random.pick(developers), {
        head,
        base: { sha: base, ref: 'main' },
      });
      pull.diff = diff;
      names.set(pull, name);
      open.push(pull);
    },
    async push() {
      const pull = open[random.below(open.length)];
      if (pull === undefined) return false;
      const bare = pull.repository.folder!;
      const ref = refOf(pull.number);
      const head = await commit(bare, ref, changeOf(names.get(pull)!, pull.commits.length + 1), [`${ref}^0`]);
      pull.diff = await diffOf(bare, head);
      state.push(pull, { head });
      return true;
    },
    async end() {
      if (open.length < openAtOnce) return false;
      const [pull] = open.splice(random.below(Math.ceil(open.length / 4)), 1);
      const isMerged = random.chance(0.95);
      if (isMerged) {
        const files = changeOf(names.get(pull!)!, pull!.commits.length);
        const bare = pull!.repository.folder!;
        await commit(bare, 'refs/heads/main', files, ['refs/heads/main^0', pull!.commits.at(-1)!.sha]);
      }
      state.end(pull!, isMerged ? 'merged' : 'closed', random.pick(developers));
      names.delete(pull!);
      return true;
    },
  };
}
