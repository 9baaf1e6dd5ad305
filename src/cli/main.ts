#!/usr/bin/env node
import { keepCompiledCode } from '../lib/own-files.ts';
import { endOnSignals } from '../stop-signals.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has read enough, such as head, closes the pipe; that is not a failure.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`The output cannot be written (${error.code})\n`);
    process.exit(1);
  });
}

endOnSignals();
keepCompiledCode();
const { runProgram } = await import('./program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
