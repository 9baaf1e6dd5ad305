import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Whether the corpus has its full size: the normal test uses small sizes, POSTIL_HOSTILE=full those that once blocked a server.
 */
export const isFull = process.env.POSTIL_HOSTILE === 'full';
const size = (small: number, full: number) => (isFull ? full : small);

const lines = (count: number, text: string) => `${text}\n`.repeat(count);

/** A file with several faults in every line. */
const manyFindings = `export function f(x) {\n${lines(size(4_000, 50_000), 'eval(x);debugger;')}}\n`;

/** A workflow with untrusted text in every step. */
const untrusted = `name: x\non: issues\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${lines(
  size(500, 20_000),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a workflow
  '      - run: echo "${{ github.event.issue.title }}"',
)}`;

/** YAML that expands to twenty billion strings if its aliases are followed. */
const aliases = `a0: &a0 [${'lol, '.repeat(9)}lol]\n${Array.from(
  { length: 10 },
  (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}*a${index}]`,
).join('\n')}\n`;

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** Text files by their paths. */
export function hostileFiles(): Record<string, string> {
  const depth = size(5_000, 100_000);
  return {
    'src/many.js': manyFindings,
    '.github/workflows/untrusted.yml': untrusted,
    '.github/workflows/aliases.yml': aliases,
    'config/aliases.yaml': aliases,
    'src/deep.js': `x = ${nested(depth, '[', ']')};\n`,
    'src/deep-functions.js': `${nested(size(500, 5_000), 'function a(){ eval(x);', '}')}\n`,
    'src/deep.py': `x = ${nested(size(150, 5_000), '(', ')')}\neval(x)\n`,
    'config/deep.json': `${nested(depth, '[', ']')}\n`,
    'config/deep.yaml': `a: ${nested(size(1_000, 20_000), '[', ']')}\n`,
    // The long line is not at the beginning, since the file would count as generated.
    'src/long-line.js': `${lines(2_000, 'export {};')}${'eval(x);'.repeat(size(10_000, 100_000))}\n`,
    'src/long-line.py': `${lines(2_000, 'pass')}x = [${'1, '.repeat(size(20_000, 200_000))}]\n`,
    'src/huge.js': lines(size(150_000, 2_700_000), 'export const a = 1;'),
    'large/asset.psd': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123456789\n`,
    'src/-rf': 'x\n',
    'src/ä ö\u202e.ts': 'debugger;\n',
    'src/"quoted" \\and\\ more.ts': 'debugger;\n',
    'src/a\nb.ts': 'debugger;\n',
    'src/b => c.ts': 'debugger;\n',
    [`src/${'n'.repeat(200)}.ts`]: 'debugger;\n',
    ...Object.fromEntries(
      Array.from({ length: size(250, 60_000) }, (_, index) => [
        `parts/${index % 100}/part-${index}.ts`,
        `export const part${index} = ${index};\n`,
      ]),
    ),
  };
}

/**
 * Adds entries that only Git can represent: links out of the tree, a submodule, a nested repository, and names that are not
 * UTF-8.
 */
export async function addHostileEntries(folder: string, git: (...given: string[]) => Promise<string>) {
  await symlink('/etc/passwd', path.join(folder, 'src/passwd.js'));
  await symlink('../../../../../../..', path.join(folder, 'src/out'));
  const latin1 = Buffer.concat([Buffer.from(`${folder}/src/caf`), Buffer.from([0xe9]), Buffer.from('.js')]);
  await writeFile(latin1, 'debugger;\n');
  await git('add', '--all');
  await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendored`);
  // The folder of a submodule that was not fetched.
  await mkdir(path.join(folder, 'vendored'));
  // Not part of the commit: a nested repository in the working copy, whose configuration must not be used.
  await mkdir(path.join(folder, 'nested/.git/hooks'), { recursive: true });
  await writeFile(
    path.join(folder, 'nested/.git/config'),
    '[core]\n\tfsmonitor = touch /tmp/postil-was-here\n',
  );
  await writeFile(path.join(folder, 'nested/.git/HEAD'), 'ref: refs/heads/main\n');
}

/** The corpus as a diff to send; files beyond the limits are left out. */
export function hostileDiff(maxBytes: number, maxFiles: number): string {
  const sections: string[] = [];
  let bytes = 0;
  for (const [name, text] of Object.entries(hostileFiles())) {
    if (/["\\\n]/.test(name) || sections.length === maxFiles) continue;
    const body = text.replace(/\n$/, '').split('\n');
    const section = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${body.length} @@\n${body.map((line) => `+${line}\n`).join('')}`;
    if (bytes + Buffer.byteLength(section) > maxBytes) continue;
    bytes += Buffer.byteLength(section);
    sections.push(section);
  }
  return sections.join('');
}

/** A custom rule of an organization with quadratic cost: it compares everything with all its descendants. */
export const slowRule = `id: slow
language: javascript
message: slow
rule:
  any:
    - regex: ^(a|aa|aaa|eval)+(x|.)*$
      has: { regex: "(e|ev|eva|eval)+(.|x)*;", stopBy: end, has: { regex: "(.*)*x", stopBy: end } }
`;
