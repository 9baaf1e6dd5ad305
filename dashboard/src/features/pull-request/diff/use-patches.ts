import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import { type ChangedFile, type FilePatch, missingCode } from '../wire.ts';
import { numberLines } from './rows/diff-lines.ts';
import type { PatchState } from './rows/diff-rows.ts';
import { highlight, type Segment } from './rows/highlight.ts';
import { type Colours, lineKey } from './rows/line-row.tsx';

const atOnce = 3;
/** Longer changes are shown without highlighting. */
const maxColoured = 8_000;

/**
 * Loads the patches of visible files: the latest requests first, a few at a time, and each once. A file that is out of sight
 * again before its turn is skipped.
 */
export function usePatches(runId: string, { kind, id }: View, wanted: readonly ChangedFile[]) {
  const [patches, setPatches] = useState<ReadonlyMap<string, PatchState>>(new Map());
  const [colours, setColours] = useState<ReadonlyMap<string, Colours>>(new Map());
  const asked = useRef(new Set<string>());
  const [underWay, setUnderWay] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  useEffect(() => {
    const next = wanted.find(({ path }) => !asked.current.has(path));
    if (next === undefined || underWay >= atOnce) return;
    asked.current.add(next.path);
    setUnderWay((count) => count + 1);
    void readPatch(runId, { kind, id }, next).then((patch) => {
      if (!isMounted.current) return;
      setUnderWay((count) => count - 1);
      setPatches((known) => new Map(known).set(next.path, patch));
      void colour(next.path, patch).then((found) => {
        if (found !== undefined && isMounted.current)
          setColours((known) => new Map(known).set(next.path, found));
      });
    });
  }, [wanted, underWay, runId, kind, id]);
  const retry = useCallback((path: string) => {
    asked.current.delete(path);
    setPatches((known) => {
      const rest = new Map(known);
      rest.delete(path);
      return rest;
    });
  }, []);
  return { patches, colours, retry };
}

async function readPatch(
  runId: string,
  scope: Pick<View, 'kind' | 'id'>,
  { path, old_path }: ChangedFile,
): Promise<PatchState> {
  try {
    const query = { path, old_path: old_path === null || old_path === path ? undefined : old_path };
    const { missing, patch } = await api<FilePatch>('GET', `reviews/${runId}/patch`, { scope, query });
    return patch ?? { failure: missingCode[missing!] };
  } catch (error) {
    return { failure: error instanceof ApiError ? error.message : 'The change could not be loaded.' };
  }
}

async function colour(path: string, patch: PatchState): Promise<Colours> {
  if ('failure' in patch) return undefined;
  const hunks = patch.hunks.map(numberLines);
  if (hunks.reduce((sum, lines) => sum + lines.length, 0) > maxColoured) return undefined;
  const found = new Map<string, readonly Segment[]>();
  for (const lines of hunks)
    for (const other of ['-', '+']) {
      const side = lines.filter(({ sign }) => sign === ' ' || sign === other);
      const segments = await highlight(
        path,
        side.map(({ text }) => text),
      ).catch(() => undefined);
      if (segments === undefined) return undefined;
      for (const [index, line] of side.entries()) found.set(lineKey(line), segments[index] ?? []);
    }
  return found;
}
