import type { ModelShortfall } from './model-reviewer.ts';

type Reason = ModelShortfall['reason'];

interface Entry {
  /** Into how many parts it was divided; unknown until its turn comes. */
  parts: number | undefined;
  answered: number;
  reason: Reason | undefined;
}

/** Keeps account of what a model saw of each file, so that none is taken for reviewed that was not. */
export class ShortfallLedger {
  readonly #entries: Map<string, Entry>;

  constructor(paths: Iterable<string>) {
    this.#entries = new Map(
      Array.from(paths, (path) => [path, { parts: undefined, answered: 0, reason: undefined }]),
    );
  }

  divide(path: string, parts: number): void {
    this.#entries.get(path)!.parts = parts;
  }

  /** A part of the file was answered. */
  answer(path: string): void {
    this.#entries.get(path)!.answered += 1;
  }

  /** Something of the file was not seen; the first reason counts. */
  miss(path: string, reason: Reason): void {
    this.#entries.get(path)!.reason ??= reason;
  }

  /** The files that were not seen whole; those that no call came to were left out for the reason given. */
  close(reason: Reason): ModelShortfall[] {
    return [...this.#entries].flatMap(([path, entry]) => {
      const why = entry.reason ?? (entry.parts === entry.answered ? undefined : reason);
      return why === undefined
        ? []
        : [{ path, state: entry.answered > 0 ? ('partial' as const) : ('skipped' as const), reason: why }];
    });
  }
}
