import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveConfiguration } from '../src/reviewer/configuration/review-configuration.ts';
import { engineFlags } from '../src/reviewer/process/review-process.ts';
import type { ChangeSides } from '../src/reviewer/rule-source.ts';
import { dependencies } from '../src/reviewer/rules/dependencies/dependencies.ts';

// Measures reading a lock file of 20,000 packages, in a process of its own for each kind, started like review processes: for a
// new file (one version), and for a change in which the version of every package differs (both versions are parsed and compared).
// node bench/lock-files.ts

const count = 20_000;
const nameOf = (index: number) =>
  index % 3 === 0 ? `@scope-${index % 50}/package-${index}` : `package-${index}`;
const next = (index: number, by: number) => (index + by) % count;
const many = (make: (index: number) => string, joint = '\n') =>
  Array.from({ length: count }, (_, index) => make(index)).join(joint);
const digest = (index: number) => Buffer.from(String(index).padStart(64, 'x')).toString('base64');
const hex = (length: number) => 'a'.repeat(length);

/** A lock file whose versions begin with a number. */
const kinds: Readonly<Record<string, (major: number) => string>> = {
  'package-lock.json': (major) =>
    `{\n  "lockfileVersion": 3,\n  "packages": {\n    "": { "dependencies": { "package-1": "^1" } },\n${many(
      (index) =>
        `    "node_modules/${nameOf(index)}": {\n      "version": "${major}.${index % 20}.0",\n      "resolved": "https://registry.npmjs.org/${nameOf(index)}/-/x-1.tgz",\n      "integrity": "sha512-${digest(index)}",\n      "license": "MIT",\n      "dependencies": { "${nameOf(next(index, 1))}": "^1.0.0", "${nameOf(next(index, 7))}": "^1.0.0" }\n    }`,
      ',\n',
    )}\n  }\n}\n`,
  'yarn.lock': (major) =>
    `# yarn lockfile v1\n\n\n${many(
      (index) =>
        `"${nameOf(index)}@^1.0.0":\n  version "${major}.${index % 20}.0"\n  resolved "https://registry.yarnpkg.com/${nameOf(index)}/-/x-1.tgz#${hex(40)}"\n  integrity sha512-${digest(index)}\n  dependencies:\n    "${nameOf(next(index, 1))}" "^1.0.0"\n    "${nameOf(next(index, 7))}" "^1.0.0"\n`,
    )}`,
  'pnpm-lock.yaml': (major) =>
    `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      package-1:\n        specifier: ^1\n        version: ${major}.1.0\n\npackages:\n\n${many(
      (index) =>
        `  '${nameOf(index)}@${major}.${index % 20}.0':\n    resolution: {integrity: sha512-${digest(index)}}\n    engines: {node: '>=10'}\n`,
    )}\nsnapshots:\n\n${many(
      (index) =>
        `  '${nameOf(index)}@${major}.${index % 20}.0':\n    dependencies:\n      '${nameOf(next(index, 1))}': ${major}.1.0\n`,
    )}`,
  'Cargo.lock': (major) =>
    `version = 3\n\n${many(
      (index) =>
        `[[package]]\nname = "package-${index}"\nversion = "${major}.${index % 20}.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex(64)}"\ndependencies = [\n "package-${next(index, 1)}",\n "package-${next(index, 7)}",\n]\n`,
    )}`,
  'poetry.lock': (major) =>
    many(
      (index) =>
        `[[package]]\nname = "package-${index}"\nversion = "${major}.${index % 20}.0"\ndescription = "x"\noptional = false\npython-versions = ">=3.8"\nfiles = [\n    {file = "a.whl", hash = "sha256:${hex(64)}"},\n    {file = "a.tar.gz", hash = "sha256:${hex(64)}"},\n]\n\n[package.dependencies]\npackage-${next(index, 1)} = ">=1"\n`,
    ),
  'go.sum': (major) =>
    many((index) => {
      const module = `github.com/owner-${index % 99}/package-${index} v${major}.${index % 20}.0`;
      return `${module} h1:${digest(index).slice(0, 43)}=\n${module}/go.mod h1:${digest(index).slice(0, 43)}=`;
    }),
};

const [folder, kind, versions] = process.argv.slice(2);
if (folder === undefined || kind === undefined) measureAll();
else await measure(folder, kind, versions === 'both');

function measureAll(): void {
  const made = mkdtempSync(path.join(tmpdir(), 'postil-lock-files-'));
  try {
    for (const [name, make] of Object.entries(kinds)) {
      for (const major of [1, 2]) writeFileSync(path.join(made, `${major}-${name}`), make(major));
      for (const versions of ['one', 'both'])
        process.stdout.write(
          execFileSync(process.execPath, [...engineFlags, import.meta.filename, made, name, versions]),
        );
    }
  } finally {
    rmSync(made, { recursive: true });
  }
}

async function measure(from: string, name: string, isChanged: boolean): Promise<void> {
  const textOf = (major: number) => readFileSync(path.join(from, `${major}-${name}`), 'utf8');
  const side = (major: number) => ({
    read: async (asked: string) => (asked === name ? textOf(major) : undefined),
    paths: async () => new Set([name]),
  });
  const sides = {
    change: {
      files: [
        isChanged
          ? { path: name, oldPath: name, kind: 'modified' }
          : { path: name, oldPath: null, kind: 'added' },
      ],
    },
    base: side(1),
    head: side(2),
    hasRepository: true,
  } as unknown as ChangeSides;
  const megabytes = () => process.resourceUsage().maxRSS >> 10;
  const [before, used, start] = [megabytes(), process.cpuUsage(), performance.now()];
  const { report } = await dependencies.compare(
    sides,
    resolveConfiguration({}).reviews,
    new AbortController().signal,
  );
  const [{ user, system }, elapsed] = [process.cpuUsage(used), performance.now() - start];
  process.stdout.write(
    `${name} (${(textOf(1).length / 2 ** 20).toFixed(1)} MiB), ${isChanged ? 'both versions' : 'one version'}: ${report.total_dependencies} changes, ${Math.round(elapsed)} ms, ${Math.round((user + system) / 1000)} ms of processor time, ${before} MB before, ${megabytes()} MB at most\n`,
  );
}
