import { fileURLToPath } from 'node:url';
import { siblingModule } from '../../../../lib/own-files.ts';
import { runProgram } from '../../run-program.ts';

/** How an expression can be made slow; null if no such text was found. */
export type Verdict = {
  /** Whether the time is only quadratic in the length of the text, so that only long texts are dangerous. */
  readonly isQuadratic: boolean;
  /** A text that makes it slow, as code. */
  readonly text: string;
  readonly length: number;
} | null;

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

const maxExpressions = 200;
const maxKnown = 5_000;
const memoryMb = 256;

/** A cache, since every commit of a change has the same expressions. */
const known = new Map<string, Verdict>();
const keyOf = ({ source, flags }: Expression) => `${flags}\0${source}`;

/**
 * Finds the expressions that can be made to run for seconds. Checking can take very long, so it runs in a process of its own,
 * which stops after ten seconds of work or is killed; the verdicts so far are kept. Undefined for unchecked ones.
 */
export async function checkExpressions(
  expressions: readonly Expression[],
  signal: AbortSignal,
  /** Aborted when the time limit is reached. */
  end: AbortSignal,
): Promise<ReadonlyMap<Expression, Verdict | undefined>> {
  const unknown = [...new Map(expressions.map((each) => [keyOf(each), each])).values()]
    .filter((each) => !known.has(keyOf(each)))
    .slice(0, maxExpressions);
  if (unknown.length > 0) await ask(unknown, signal, end);
  return new Map(expressions.map((each) => [each, known.get(keyOf(each))]));
}

async function ask(expressions: readonly Expression[], signal: AbortSignal, end: AbortSignal): Promise<void> {
  const program = fileURLToPath(siblingModule('checker-main', import.meta.url));
  const given = JSON.stringify(expressions.map(({ source, flags }) => [source, flags]));
  let next = 0;
  const onLine = (line: string) => {
    const expression = expressions[next];
    next += 1;
    if (expression === undefined) return;
    if (known.size >= maxKnown) known.clear();
    known.set(keyOf(expression), JSON.parse(line) as Verdict);
  };
  try {
    await runProgram(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${memoryMb}`, program, given],
      { folder: import.meta.dirname, signal: AbortSignal.any([signal, end]), onLine },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!end.aborted) throw error;
  }
}
