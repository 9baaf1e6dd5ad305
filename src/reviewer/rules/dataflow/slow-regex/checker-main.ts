// Decides of regular expressions whether they can be slow, in a process that may be ended at any time:
// node checker-main.ts '[["source","flags"],…]'; a line of JSON for each, in their order.
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import { isPackaged } from '../../../../lib/own-files.ts';
import type { Verdict } from './check-expressions.ts';

interface Answer {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly type: string; readonly degree?: number };
  readonly attack?: { readonly string: string; readonly pattern: string };
}
type Check = (source: string, flags: string, options: { timeout: number }) => Answer;

// The package has a copy of the one file: the npm package around it brings programs of 50 MB for the same.
const { checkSync } = createRequire(import.meta.url)(
  isPackaged ? './recheck.cjs' : 'recheck/lib/browser.js',
) as { checkSync: Check };

const checkMs = 3_000;
const runMs = 2_000;
/** What the processor works for it; how long it takes depends on who else is there. */
const slowMs = 250;

/** Whether a text that is said to be slow really is. */
function isProven(source: string, flags: string, text: string): boolean {
  const context = createContext({ expression: new RegExp(source, flags.replaceAll(/[gy]/g, '')), text });
  const script = new Script('expression.test(text)');
  const before = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: runMs });
  } catch {
    // It was stopped.
  }
  return process.cpuUsage(before).user / 1_000 >= slowMs;
}

function decide(source: string, flags: string): Verdict {
  const { status, complexity, attack } = checkSync(source, flags, { timeout: checkMs });
  if (status !== 'vulnerable' || attack === undefined) return null;
  if (!isProven(source, flags, attack.string)) return null;
  return {
    isQuadratic: complexity?.type === 'polynomial' && (complexity.degree ?? 2) < 3,
    text: attack.pattern.slice(0, 300),
    length: attack.string.length,
  };
}

for (const [source, flags] of JSON.parse(process.argv[2]!) as [string, string][]) {
  let verdict: Verdict = null;
  try {
    verdict = decide(source, flags);
  } catch {
    // What it cannot read, it says nothing of.
  }
  // Whoever reads takes these two for ends of lines as well.
  const line = JSON.stringify(verdict).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  process.stdout.write(`${line}\n`);
}
