import { useState } from 'react';
import { useAction } from '../../../components/action.ts';
import { api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import { type ChangedFile, type FileLines, missingCode } from '../wire.ts';
import type { Fold } from './rows/diff-lines.ts';

/** How many lines are unfolded at once. */
export const unfoldedAtOnce = 100;

type Unfolded = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The unchanged lines that were unfolded, by file. */
export function useUnfolded(runId: string, scope: View) {
  const [unfolded, setUnfolded] = useState<Unfolded>(new Map());
  const unfold = useAction(
    async ({ file, fold }: { file: ChangedFile; fold: Fold }) => {
      const [start, end] = [fold.from, Math.min(fold.to, fold.from + unfoldedAtOnce - 1)];
      const query = { path: file.path, start, end };
      const { missing, lines } = await api<FileLines>('GET', `reviews/${runId}/lines`, { scope, query });
      if (missing !== null) return { message: missingCode[missing], isTotal: true };
      setUnfolded((known) => {
        const ofFile = new Map(known.get(file.path));
        for (const [index, text] of lines.entries()) ofFile.set(start + index, text);
        return new Map(known).set(file.path, ofFile);
      });
      return undefined;
    },
    { invalidates: [], done: (shortfall) => shortfall },
  );
  return { unfolded, unfold };
}
