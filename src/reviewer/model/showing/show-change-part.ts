import type { ChangeSource } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import { type FilePart, showFile } from './show-file.ts';

/** The diff of the files of a change, as far as it fits, without credentials. */
export async function work(
  { change, maxTokens }: { readonly change: ChangeSource; readonly maxTokens: number },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<FilePart[]> {
  const { files } = await openChange(change);
  const shown: FilePart[] = [];
  let room = maxTokens;
  for (const file of files) {
    if (room <= 0) break;
    const { parts } = await showFile(file, Math.max(room, 500));
    const [first] = parts;
    if (first === undefined || first.tokens > room) continue;
    shown.push(first);
    room -= first.tokens;
  }
  return shown;
}
