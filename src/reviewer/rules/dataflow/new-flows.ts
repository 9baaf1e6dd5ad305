import type { Change, ChangedFile } from '../../change/change.ts';
import { silencedLines } from '../silenced-lines.ts';
import type { Hit } from './engine/value.ts';
import type { FlowFinder } from './find-flows.ts';

/** A way from a source to a sink that the change has opened, and where to speak of it. */
export interface Flow {
  readonly hit: Hit;
  readonly place: { readonly path: string; readonly line: number };
}

/** What the change brought: a changed line is on the way, and before the change there was no such way. */
export async function newFlows(
  file: ChangedFile,
  change: Change,
  finders: { readonly base: FlowFinder; readonly head: FlowFinder },
): Promise<{ readonly flows: readonly Flow[]; readonly isWhole: boolean }> {
  const { hits, isWhole } = await finders.head.find(file.path);
  const files = new Map(change.files.map((each) => [each.path, each]));
  const isSilenced = await silencedIn(files);
  const placed = hits.flatMap((hit) => {
    const place = placeOf(hit, files);
    return place === null || isSilenced(place) || isSilenced(hit.sink) ? [] : [{ hit, place }];
  });
  if (placed.length === 0 || file.oldPath === null) return { flows: placed, isWhole };
  const before = await finders.base.find(file.oldPath);
  const [textOf, oldTextOf] = [await linesOf(files, 'newText'), await linesOf(files, 'oldText')];
  const known = new Set(before.hits.map((hit) => keyOf(hit, oldTextOf)));
  return { flows: placed.filter(({ hit }) => !known.has(keyOf(hit, textOf))), isWhole };
}

/** What makes a way the same after lines have moved: its rule, whose the value is, and what stands at its end. */
function keyOf({ rule, label, sink }: Hit, textOf: (path: string, line: number) => string): string {
  return `${rule}\0${label.origin === 'request'}\0${textOf(sink.path, sink.line)}`;
}

/** Whether the author wants a line left in peace. */
async function silencedIn(
  files: ReadonlyMap<string, ChangedFile>,
): Promise<(place: Flow['place']) => boolean> {
  const tests = new Map<string, (line: number) => boolean>();
  for (const file of files.values()) tests.set(file.path, silencedLines((await file.newText()) ?? ''));
  return ({ path, line }) => tests.get(path)?.(line) === true;
}

type TextName = 'newText' | 'oldText';

async function linesOf(files: ReadonlyMap<string, ChangedFile>, which: TextName) {
  const texts = new Map<string, readonly string[]>();
  for (const file of files.values()) {
    const text = await file[which]();
    if (text !== undefined)
      texts.set(which === 'newText' ? file.path : (file.oldPath ?? file.path), text.split('\n'));
  }
  // Of a file that stays as it is, the line says enough.
  return (path: string, line: number) =>
    (texts.get(path)?.[line - 1] ?? `${path}:${line}`).replaceAll(/[\s'"`;]+/g, '');
}

/** The sink, if that line has changed; else the nearest changed line towards the source; null where none is on the way. */
function placeOf({ label, sink }: Hit, files: ReadonlyMap<string, ChangedFile>): Flow['place'] | null {
  for (const { path, line } of [sink, ...label.steps.toReversed()])
    if (files.get(path)?.addedLines.has(line)) return { path, line };
  // Something that stood on the way is gone.
  const file = files.get(sink.path);
  const lines = [...label.steps, sink].filter(({ path }) => path === sink.path).map(({ line }) => line);
  if (file === undefined || lines.length < 2) return null;
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  return removalsIn(file).some((line) => line > first && line <= last) ? sink : null;
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
