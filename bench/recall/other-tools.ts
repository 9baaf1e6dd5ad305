import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Diagnostic } from '@astral-sh/ruff-wasm-nodejs';
import type { Change } from '../../src/reviewer/change/change.ts';
import { type Asked, linesOf, type Said } from './ask-rules.ts';

/** An alternative tool, run on the same changes; only its findings on added lines count. */
export interface Tool {
  readonly name: string;
  ask(change: Change): Promise<Asked>;
}

const scripts = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Oxlint and Ruff are always included; ESLint only if a folder with it was given. */
export async function otherTools(folder: string | undefined): Promise<readonly Tool[]> {
  const all: Tool[] = [
    { name: 'oxlint, as it comes', ask: (change) => askOn(change, scripts, byOxlint) },
    { name: 'Ruff, all rules of `S`', ask: (change) => askOn(change, /\.py$/, byRuff) },
  ];
  if (folder === undefined || !existsSync(path.join(folder, 'node_modules/eslint-plugin-security')))
    return all;
  const bySecurity = await eslintIn(folder);
  return [...all, { name: '`eslint-plugin-security`', ask: (change) => askOn(change, scripts, bySecurity) }];
}

type Files = readonly { readonly path: string; readonly text: string }[];

async function askOn(
  change: Change,
  covers: RegExp,
  find: (files: Files) => Promise<readonly Said[]>,
): Promise<Asked> {
  const files: { path: string; text: string }[] = [];
  for (const file of change.files) {
    const text = covers.test(file.path) && file.addedLines.size > 0 ? await file.newText() : undefined;
    if (text !== undefined && text.length < 400_000) files.push({ path: file.path, text });
  }
  const addedOf = new Map(change.files.map((file) => [file.path, file.addedLines]));
  const said = files.length === 0 ? [] : await find(files);
  return {
    findings: said.filter((each) => each.startLine !== null && addedOf.get(each.path)?.has(each.startLine)),
    ...linesOf(change),
  };
}

const oxlint = createRequire(import.meta.url)
  .resolve('oxlint/package.json')
  .replace('package.json', 'bin/oxlint');

async function byOxlint(files: Files): Promise<readonly Said[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-board-'));
  try {
    for (const [index, { path: name, text }] of files.entries()) {
      await mkdir(path.join(folder, String(index)));
      await writeFile(path.join(folder, String(index), path.basename(name)), text);
    }
    const output = await new Promise<string>((resolve) => {
      const options = { cwd: folder, maxBuffer: 2 ** 28 };
      execFile(process.execPath, [oxlint, '-f', 'json', '--no-ignore', '.'], options, (_, out) =>
        resolve(out),
      );
    });
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code?: string; filename: string; labels: { span: { line: number } }[] }[];
    };
    return diagnostics.flatMap(({ code, filename, labels }) =>
      labels[0] === undefined
        ? []
        : [place(files[Number.parseInt(filename, 10)]!.path, labels[0].span.line, `oxlint/${code}`)],
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The weaknesses of OWASP's benchmark, by Ruff's rules. */
const ruffWeaknesses: readonly (readonly [RegExp, string])[] = [
  [/^S(?:102|307)$/, 'CWE-95'],
  [/^S(?:301|302|506)$/, 'CWE-502'],
  [/^S(?:303|324)$/, 'CWE-328'],
  [/^S(?:304|305|413)$/, 'CWE-327'],
  [/^S311$/, 'CWE-330'],
  [/^S3(?:1[3-9]|20)$/, 'CWE-611'],
  [/^S60[2-79]$/, 'CWE-78'],
  [/^S608$/, 'CWE-89'],
  [/^S(?:308|701|702|704)$/, 'CWE-79'],
];

async function byRuff(files: Files): Promise<readonly Said[]> {
  const { PositionEncoding, Workspace } = await import('@astral-sh/ruff-wasm-nodejs');
  const workspace = new Workspace({ lint: { select: ['S'] } }, PositionEncoding.Utf16);
  return files.flatMap(({ path: name, text }) =>
    (workspace.check(text) as Diagnostic[]).map(({ code, start_location: start }) =>
      place(
        name,
        start.row,
        `ruff/${code}`,
        ruffWeaknesses.find(([codes]) => codes.test(code ?? ''))?.[1] ?? null,
      ),
    ),
  );
}

/** ESLint with the recommended rules of its plugin for security. */
async function eslintIn(folder: string): Promise<(files: Files) => Promise<readonly Said[]>> {
  const require = createRequire(path.join(folder, 'package.json'));
  const { Linter } = require('eslint') as {
    Linter: new () => {
      verify(text: string, configuration: unknown, name: string): { line: number; ruleId: string | null }[];
    };
  };
  const security = require('eslint-plugin-security') as { configs: { recommended: object } };
  const parser = require('@typescript-eslint/parser') as object;
  const linter = new Linter();
  const configuration = [
    { ...security.configs.recommended, files: ['**/*'] },
    { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { parser } },
  ];
  return async (files) =>
    files.flatMap(({ path: name, text }) =>
      linter
        .verify(text, configuration, name)
        .filter(({ ruleId }) => ruleId !== null)
        .map(({ line, ruleId }) => place(name, line, ruleId!)),
    );
}

const place = (name: string, line: number, rule: string, cwe: string | null = null): Said => ({
  path: name,
  startLine: line,
  endLine: line,
  rules: [rule],
  cwe,
});
