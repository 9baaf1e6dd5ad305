import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { assetFiles } from '../src/http/pages/api-docs.ts';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');
const importOfSource = /(?<=\b(?:from|import|import\()\s*'\.{1,2}\/[^']+)\.ts(?=')/g;

/**
 * Compiles to JavaScript with the same line and column numbers: types are replaced by spaces, and file names keep their
 * length.
 */
function compile(file: string, source: string): string {
  const compiled = stripTypeScriptTypes(source).replace(importOfSource, '.js');
  const left = /'\.{1,2}\/[^'\s]+\.ts'|new URL\('[^']+\.ts'/.exec(compiled);
  if (left !== null) throw new Error(`${file} names a source file: ${left[0]}; see lib/own-files.ts`);
  return compiled;
}

async function compileSources(): Promise<void> {
  const isLeftOut = (name: string) => /\.(test|d)\.ts$|^fixtures$/.test(name);
  for await (const file of glob('**/*.ts', { cwd: path.join(root, 'src'), exclude: isLeftOut })) {
    if (isLeftOut(path.basename(file))) continue;
    const target = path.join(dist, file.replace(/\.ts$/, '.js'));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, compile(file, await readFile(path.join(root, 'src', file), 'utf8')));
  }
}

/** Fills `dist` with everything that the package needs besides its dependencies. npm runs this before it packs. */
async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await compileSources();
  const migrations = path.join('db', 'schema', 'migrations');
  await cp(path.join(root, 'src', migrations), path.join(dist, migrations), { recursive: true });
  const examples = path.join('http', 'openapi', 'examples.json');
  await cp(path.join(root, 'src', examples), path.join(dist, examples));
  const story = path.join('cli', 'demo', 'story');
  for await (const file of glob('*.{txt,gz}', { cwd: path.join(root, 'src', story) }))
    await cp(path.join(root, 'src', story, file), path.join(dist, story, file));
  const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of [...assetFiles, 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
    await cp(path.join(swagger, file), path.join(dist, 'http', 'pages', 'api-docs', file));
  const recheck = path.dirname(createRequire(import.meta.url).resolve('recheck/package.json'));
  const checker = path.join(dist, 'reviewer', 'rules', 'dataflow', 'slow-regex');
  await cp(path.join(recheck, 'lib', 'browser.js'), path.join(checker, 'recheck.cjs'));
  await cp(path.join(recheck, 'LICENSE'), path.join(checker, 'recheck.LICENSE'));
  const kotlin = path.dirname(
    createRequire(import.meta.url).resolve('@tree-sitter-grammars/tree-sitter-kotlin/package.json'),
  );
  const syntax = path.join(dist, 'reviewer', 'code');
  await cp(path.join(kotlin, 'tree-sitter-kotlin.wasm'), path.join(syntax, 'tree-sitter-kotlin.wasm'));
  await cp(path.join(kotlin, 'LICENSE'), path.join(syntax, 'tree-sitter-kotlin.LICENSE'));
  await promisify(execFile)(process.execPath, [path.join(root, 'dashboard', 'build.ts')]);
}

await build();
