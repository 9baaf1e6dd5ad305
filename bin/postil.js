#!/usr/bin/env node
// The one file that older versions of Node must be able to run: it finds a Node that can run Postil.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const minVersion = 24;
const source = new URL('../src/cli/main.ts', import.meta.url);
const compiled = new URL('../dist/cli/main.js', import.meta.url);
// A checkout has both after a build; its sources are what is current.
const program = existsSync(source) ? source : compiled;

/** The Node that came with the installation, which it does on Linux. */
function findBundledNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}

function refuse(reason) {
  process.stderr.write(`Postil needs Node ${minVersion} or newer; this is ${process.version}${reason}\n`);
  process.exit(1);
}

function runWith(node) {
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`, and the bundled one cannot be started (${error.code})`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (Number.parseInt(process.versions.node, 10) >= minVersion) {
  await import(program.href);
} else {
  const node = findBundledNode();
  if (node === undefined) refuse('');
  else runWith(node);
}
