import { createHash } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { productVersion } from '../../lib/product-version.ts';
import type { EvaluationCase } from '../../reviewer/evaluation/dataset.ts';
import type { EvaluatedCase } from '../../reviewer/evaluation/evaluate-case.ts';

/** The result of a case: its figures, or the error that prevented them. */
export type CaseResult =
  | ({ readonly name: string; readonly key: string } & EvaluatedCase)
  | { readonly name: string; readonly key: string; readonly error: string };

/** The results of an evaluation, one per line, so that an interrupted evaluation can be resumed. */
export class ResultsFile {
  readonly #path: string;
  readonly #known: Map<string, CaseResult>;

  private constructor(path: string, known: Map<string, CaseResult>) {
    this.#path = path;
    this.#known = known;
  }

  static async open(path: string, isFresh: boolean): Promise<ResultsFile> {
    if (isFresh) await rm(path, { force: true });
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const known = new Map<string, CaseResult>();
    for (const line of text.split('\n')) {
      const result = parseLine(line);
      if (result !== undefined) known.set(result.key, result);
    }
    return new ResultsFile(path, known);
  }

  /** A result with figures from an earlier evaluation of the same case by the same model; undefined if there is none. */
  find(key: string): CaseResult | undefined {
    const known = this.#known.get(key);
    return known === undefined || 'error' in known ? undefined : known;
  }

  async add(result: CaseResult): Promise<void> {
    await appendFile(this.#path, `${JSON.stringify(result)}\n`);
  }
}

/** Parses a line; undefined if it is empty or incomplete, because the process ended while writing it. */
function parseLine(line: string): CaseResult | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as CaseResult);
  } catch {
    return undefined;
  }
}

/** A hash of everything that a result depends on. */
export function keyOf(evaluated: EvaluationCase, model: string): string {
  const { name, base, head, golden, isOneOf } = evaluated;
  const parts = [productVersion, model, name, base, head, golden, ...(isOneOf ? ['one of'] : [])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
