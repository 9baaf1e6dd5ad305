// Checks whether regular expressions can be slow, in a process that may be killed at any time:
// node checker-main.ts '[["source","flags"],…]' writes one line of JSON per expression, in their order.
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import { isPackaged } from '../../../../lib/own-files.ts';
import type { Verdict } from './check-expressions.ts';

interface Answer {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly type: string; readonly degree?: number };
  readonly attack?: { readonly string: string; readonly pattern: string };
  /** Why it is unknown. */
  readonly error?: { readonly kind: string };
}
type Check = (source: string, flags: string, options: { timeout: number }) => Answer;

// Our package contains a copy of this one file: the npm package adds programs of 50 MB that do the same.
const { checkSync } = createRequire(import.meta.url)(
  isPackaged ? './recheck.cjs' : 'recheck/lib/browser.js',
) as { checkSync: Check };

/** Processor time for a check, for a proof, and for all of them. The time by the clock would depend on other processes. */
const [checkMs, slowMs, allMs] = [1_500, 250, 10_000];
const usedSince = (before?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/**
 * Runs something with a budget of processor time, although it can only be stopped by the clock: runs it again with twice the time
 * if other processes used up the processor, until whoever started this process kills it.
 */
function within<Result>(cpuMs: number, run: (clockMs: number) => { isCut: boolean; result: Result }) {
  for (let clockMs = cpuMs * 2; ; clockMs *= 2) {
    const before = process.cpuUsage();
    const { isCut, result } = run(clockMs);
    const usedMs = usedSince(before);
    if (!isCut || usedMs >= cpuMs) return { result, usedMs };
  }
}

/** Whether the text that the tool found really makes the expression slow. */
function isProven(source: string, flags: string, text: string): boolean {
  const context = createContext({ expression: new RegExp(source, flags.replaceAll(/[gy]/g, '')), text });
  const script = new Script('expression.test(text)');
  const { usedMs } = within(slowMs, (timeout) => {
    try {
      return { isCut: false, result: script.runInContext(context, { timeout }) };
    } catch {
      return { isCut: true, result: true };
    }
  });
  return usedMs >= slowMs;
}

function decide(source: string, flags: string): Verdict {
  const { result } = within(checkMs, (timeout) => {
    const answer = checkSync(source, flags, { timeout });
    return { isCut: answer.error?.kind === 'timeout', result: answer };
  });
  const { status, complexity, attack } = result;
  if (status !== 'vulnerable' || attack === undefined) return null;
  if (!isProven(source, flags, attack.string)) return null;
  return {
    isQuadratic: complexity?.type === 'polynomial' && (complexity.degree ?? 2) < 3,
    text: attack.pattern.slice(0, 300),
    length: attack.string.length,
  };
}

for (const [source, flags] of JSON.parse(process.argv[2]!) as [string, string][]) {
  if (usedSince() > allMs) break;
  let verdict: Verdict = null;
  try {
    verdict = decide(source, flags);
  } catch {
    // Expressions that the tool cannot parse count as not slow.
  }
  process.stdout.write(`${JSON.stringify(verdict)}\n`);
}
