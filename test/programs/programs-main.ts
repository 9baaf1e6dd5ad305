import { execFile } from 'node:child_process';
import type { ProgramEnd, ToPrograms } from './run-program.ts';

// Runs programs for the process that started it, and ends with it.

process.once('disconnect', () => process.exit());
process.on('message', ({ id, file, given, cwd, env, input }: ToPrograms) => {
  const child = execFile(
    file,
    given,
    { cwd, env, encoding: 'buffer', maxBuffer: 100 * 1024 * 1024 },
    (error, out, err) =>
      process.send!({ id, code: error === null ? 0 : (error.code ?? null), out, err } satisfies ProgramEnd),
  );
  child.stdin!.on('error', () => {}).end(input);
});
