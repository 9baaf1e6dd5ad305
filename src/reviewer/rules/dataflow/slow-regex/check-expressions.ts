import { fileURLToPath } from 'node:url';
import { siblingModule } from '../../../../lib/own-files.ts';
import { runProgram } from '../../run-program.ts';

/** What makes an expression slow; null where nothing is known to. */
export type Verdict = {
  /** Twice the text takes four times as long: only long texts hurt. */
  readonly isQuadratic: boolean;
  /** A text that shows it, as code. */
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

/** The same ones come again with every commit of a change. */
const known = new Map<string, Verdict>();
const keyOf = ({ source, flags }: Expression) => `${flags}\0${source}`;

/**
 * Which of these can be made to run for seconds. The tool takes as long as an expression lets it, so it runs in a process of its
 * own that ends after ten seconds of work, or is ended; what it came to by then is kept. Undefined for what there was no time for.
 */
export async function checkExpressions(
  expressions: readonly Expression[],
  signal: AbortSignal,
  /** When there is no more time for it. */
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
