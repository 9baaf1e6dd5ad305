import type { HostThread } from '../../connections/hosts/review-host.ts';

/** A finding that has a comment at the host. */
export interface CommentedFinding {
  readonly threadId: string;
  /** The number of lines that it is about; its comment is on the last one. */
  readonly lineCount: number;
}

/**
 * Threads that somebody started on the lines of a finding instead of replying in its thread (the APIs of hosts make that
 * easy), by the finding's thread. A thread on lines of several findings is ambiguous, and counts for none.
 */
export function answersOnLines(
  threads: readonly HostThread[],
  findings: readonly CommentedFinding[],
): Map<string, HostThread[]> {
  const known = new Map(threads.map((thread) => [thread.id, thread]));
  const own = new Set(findings.map(({ threadId }) => threadId));
  const placed = findings.flatMap(({ threadId, lineCount }) => {
    const thread = known.get(threadId);
    return thread === undefined || thread.line === null
      ? []
      : [{ thread, last: thread.line, first: thread.line - lineCount + 1 }];
  });
  const answers = new Map<string, HostThread[]>();
  for (const thread of threads) {
    const { id, path, side, line, comments } = thread;
    if (line === null || own.has(id)) continue;
    const meant = placed.filter(
      ({ thread: posted, first, last }) =>
        posted.path === path &&
        posted.side === side &&
        line >= first &&
        line <= last &&
        posted.comments[0]!.createdAt <= comments[0]!.createdAt,
    );
    if (meant.length !== 1) continue;
    const [{ thread: answered }] = meant as [(typeof meant)[number]];
    answers.set(answered.id, [...(answers.get(answered.id) ?? []), thread]);
  }
  return answers;
}
