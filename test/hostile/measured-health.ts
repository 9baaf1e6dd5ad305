import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout for an answer, after which the server counts as blocked, even on a busy machine. */
const timeoutMs = 60_000;

export interface HealthFigures {
  readonly answers: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Polls `/health` while the work is done; every request must be answered. */
export async function besideHealth<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; health: HealthFigures }> {
  let isDone = false;
  const times: number[] = [];
  async function ask(): Promise<void> {
    while (!isDone) {
      const started = performance.now();
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) });
      if (answer.status !== 200) throw new Error(`/health is ${answer.status}`);
      await answer.text();
      times.push(performance.now() - started);
      await sleep(20);
    }
  }
  const asking = ask();
  const [result] = await Promise.all([
    work().finally(() => {
      isDone = true;
    }),
    asking,
  ]);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { result, health: { answers: times.length, p50: at(0.5), p99: at(0.99), max: at(1) } };
}
