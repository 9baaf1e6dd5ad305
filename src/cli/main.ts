#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { endOnSignals } from '../stop-signals.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as head, closes the pipe; that is not a failure.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`The output cannot be written (${error.code})\n`);
    process.exit(1);
  });
}

endOnSignals();
// Compiling what is loaded is half of what a short command costs; where the folder cannot be written, nothing is kept.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/postil'));
const { runProgram } = await import('./program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
