import { ChildProcess } from 'node:child_process';

interface Undocumented {
  _getActiveHandles(): object[];
}

/**
 * Ends this process if something that a test file left open, because its hooks failed, still keeps it alive a minute after the
 * last test: otherwise a run with one failure would wait for its time limit. What was left open is named, and is a failure.
 */
export function releaseProcess(afterMs = 60_000): void {
  // A timer that does not keep the process alive only fires if something else does.
  setTimeout(() => {
    const left = (process as unknown as Undocumented)
      ._getActiveHandles()
      .filter((handle) => handle !== process.stdout && handle !== process.stderr);
    process.stderr.write(`Test files left open: ${left.map(nameOf).join('; ') || 'a timer'}\n`);
    for (const handle of left) if (handle instanceof ChildProcess) handle.kill('SIGKILL');
    // The test runner reports its results at this event, and then needs a moment to write them.
    process.emit('beforeExit', 1);
    setTimeout(() => process.exit(1), Math.min(afterMs, 10_000));
  }, afterMs).unref();
}

function nameOf(handle: object): string {
  if (handle instanceof ChildProcess) return `process ${handle.pid} (${handle.spawnargs.join(' ')})`;
  return handle.constructor.name;
}
