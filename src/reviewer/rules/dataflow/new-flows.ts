import type { Change, ChangedFile } from '../../change/change.ts';
import { silencedLines } from '../silenced-lines.ts';
import type { Hit } from './engine/value.ts';
import type { FlowFinder } from './find-flows.ts';

/** A flow from a source to a sink that is new in the change, and the place to report it at. */
export interface Flow {
  readonly hit: Hit;
  readonly place: { readonly path: string; readonly line: number };
}

/** Finds the flows that are new in a change: they pass a changed line, and the old version did not have them. */
export class NewFlows {
  readonly #files: ReadonlyMap<string, ChangedFile>;
  /** By their path in the old version. */
  readonly #oldFiles: ReadonlyMap<string, ChangedFile>;
  readonly #finders: { readonly base: FlowFinder; readonly head: FlowFinder };
  // Filled when a flow is found: few files have one, so few texts are read.
  readonly #silenced = new Map<string, (line: number) => boolean>();
  readonly #lines = { new: new Map<string, readonly string[]>(), old: new Map<string, readonly string[]>() };

  constructor({ files }: Change, finders: { readonly base: FlowFinder; readonly head: FlowFinder }) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#oldFiles = new Map(files.map((file) => [file.oldPath ?? file.path, file]));
    this.#finders = finders;
  }

  async of(file: ChangedFile): Promise<{ readonly flows: readonly Flow[]; readonly isWhole: boolean }> {
    const { hits, isWhole } = await this.#finders.head.find(file.path);
    const placed: Flow[] = [];
    for (const hit of hits) {
      if (hit.pattern !== undefined) continue;
      const place = placeOf(hit, this.#files);
      if (place !== null && !(await this.#isSilenced(place)) && !(await this.#isSilenced(hit.sink)))
        placed.push({ hit, place });
    }
    if (placed.length === 0 || file.oldPath === null) return { flows: placed, isWhole };
    const before = await this.#finders.base.find(file.oldPath);
    // If a limit ended the work early, a flow may have been there before without being found.
    const isSure = isWhole && before.isWhole;
    const [old, now] = [await this.#ends(before.hits, 'old'), await this.#ends(hits, 'new')];
    const known = new Set<string>();
    // If several flows have the same key, as many of them as the old version had are not new: first those whose sinks are not on
    // added lines.
    for (const [key, ends] of now) {
      const stayed = (end: string) => !this.#isAdded(end);
      const inOrder = [...ends].toSorted((a, b) => Number(stayed(b)) - Number(stayed(a)));
      for (const end of inOrder.slice(0, old.get(key)?.size ?? 0)) known.add(`${key}\0${end}`);
    }
    const keys = await Promise.all(placed.map(({ hit }) => this.#keyOf(hit, 'new')));
    const isKnown = ({ hit }: Flow, index: number) => known.has(`${keys[index]}\0${endOf(hit)}`);
    const isNew = (flow: Flow, index: number) =>
      !isKnown(flow, index) && (isSure || this.#isAdded(`${flow.place.path}\0${flow.place.line}`));
    return { flows: placed.filter(isNew), isWhole };
  }

  /** The ends of flows, by the key of the flow. */
  async #ends(hits: readonly Hit[], side: 'new' | 'old'): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const ends = new Map<string, Set<string>>();
    for (const hit of hits) {
      const key = await this.#keyOf(hit, side);
      const own = ends.get(key) ?? new Set();
      ends.set(key, own.add(endOf(hit)));
    }
    return ends;
  }

  #isAdded(end: string): boolean {
    const [path, line] = end.split('\0');
    return this.#files.get(path!)?.addedLines.has(Number(line)) === true;
  }

  /**
   * A key that stays the same if lines move: the rule, whether the source is a request, and the texts of the lines of the sink and
   * of the call that takes the value to its function.
   */
  async #keyOf({ rule, label, sink, call }: Hit, side: 'new' | 'old'): Promise<string> {
    const texts: string[] = [rule, `${label.origin === 'request'}`];
    for (const { path, line } of call === null ? [sink] : [sink, call]) {
      // The line number is enough in a file that is not changed.
      const text = (await this.#linesOf(path, side))[line - 1] ?? `${path}:${line}`;
      texts.push(text.replaceAll(/[\s'"`;]+/g, ''));
    }
    return texts.join('\0');
  }

  /** The lines of a changed file; empty for other files. */
  async #linesOf(path: string, side: 'new' | 'old'): Promise<readonly string[]> {
    const file = (side === 'new' ? this.#files : this.#oldFiles).get(path);
    const known = this.#lines[side].get(path);
    if (known !== undefined) return known;
    const text = await (side === 'new' ? file?.newText() : file?.oldText());
    const lines = text?.split('\n') ?? [];
    this.#lines[side].set(path, lines);
    return lines;
  }

  /** Whether a comment in the code silences the rules for a line. */
  async #isSilenced({ path, line }: Flow['place']): Promise<boolean> {
    const test =
      this.#silenced.get(path) ?? silencedLines((await this.#linesOf(path, 'new')).join('\n'), 'flows');
    this.#silenced.set(path, test);
    return test(line);
  }
}

/** The place that tells flows with the same key apart: each call of a helper is a flow of its own. */
function endOf({ sink, call }: Hit): string {
  const { path, line } = call ?? sink;
  return `${path}\0${line}`;
}

/** The sink if its line was added, otherwise the nearest added line towards the source; null if no changed line is on the way. */
function placeOf({ label, sink }: Hit, files: ReadonlyMap<string, ChangedFile>): Flow['place'] | null {
  for (const { path, line } of [sink, ...label.steps.toReversed()])
    if (files.get(path)?.addedLines.has(line)) return { path, line };
  // A line on the way was removed or changed, such as a check.
  const end = [sink, ...label.steps.toReversed()].find(({ path }) => files.has(path));
  const lines = [...label.steps, sink].filter(({ path }) => path === end?.path).map(({ line }) => line);
  if (end === undefined || lines.length < 2) return null;
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  const file = files.get(end.path)!;
  const changed = [...removalsIn(file), ...file.addedLines];
  return changed.some((line) => line > first && line <= last) ? end : null;
}

/** The lines of the new version before which lines were removed. */
function removalsIn({ hunks }: ChangedFile): number[] {
  return hunks.flatMap(({ lines, newStart }) => {
    let next = newStart;
    return lines.flatMap(({ kind, newLine }) => {
      if (newLine !== null) next = newLine + 1;
      return kind === 'removed' ? [next] : [];
    });
  });
}
