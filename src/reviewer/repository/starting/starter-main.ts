import { GitError, runGit } from '../run-git.ts';
import type { FromStarter, ToStarter } from './git-starter.ts';

// A small process that runs Git for the one that started it, and ends with it. What it runs then ends as well (run-git.ts).

const running = new Map<number, AbortController>();

process.once('disconnect', () => process.exit());
process.on('message', async ({ id, run }: ToStarter) => {
  if (run === undefined) return running.get(id)?.abort();
  const ending = new AbortController();
  running.set(id, ending);
  const answer = await runGit(run.given, { ...run.call, signal: ending.signal }, run.input).then(
    (bytes) => ({ bytes }),
    (error: Error) => ({
      fault: error instanceof GitError ? error.fault : ('failed' as const),
      message: error.message,
    }),
  );
  running.delete(id);
  process.send!({ id, answer } satisfies FromStarter);
});
