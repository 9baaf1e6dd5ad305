import type { ModelShortfall } from './model-reviewer.ts';

type Reason = ModelShortfall['reason'];

interface Entry {
  /** The number of parts of the file; undefined until the file is shown. */
  parts: number | undefined;
  answered: number;
  reason: Reason | undefined;
}

/** Records how much of each file a model reviewed, so that no file counts as reviewed that was not. */
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

  /** Records that a part of the file was answered. */
  answer(path: string): void {
    this.#entries.get(path)!.answered += 1;
  }

  /** Records that some of the file was not reviewed; the first reason counts. */
  miss(path: string, reason: Reason): void {
    this.#entries.get(path)!.reason ??= reason;
  }

  /** The files that were not fully reviewed; `reason` is for those that no call reached. */
  close(reason: Reason): ModelShortfall[] {
    return [...this.#entries].flatMap(([path, entry]) => {
      const why = entry.reason ?? (entry.parts === entry.answered ? undefined : reason);
      return why === undefined
        ? []
        : [{ path, state: entry.answered > 0 ? ('partial' as const) : ('skipped' as const), reason: why }];
    });
  }
}
