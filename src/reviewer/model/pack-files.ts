import type { ChangedFile } from '../change/change.ts';
import type { ShortfallLedger } from './shortfalls.ts';
import { type FilePart, showFile } from './show-file.ts';

/** What one call to a model shows. */
export interface Pack {
  readonly parts: readonly FilePart[];
}

/**
 * Divides files into calls in their order, so that files of one folder are seen together. Texts are read when their turn
 * comes: of a large change that the budget ends early, most are never read.
 */
export async function* packFiles(
  files: readonly ChangedFile[],
  /** How many tokens a pack may have; asked anew for each, since a budget shrinks. */
  roomForPack: () => number,
  ledger: ShortfallLedger,
): AsyncGenerator<Pack> {
  let parts: FilePart[] = [];
  let tokens = 0;
  let maxTokens = roomForPack();
  for (const file of files) {
    const shown = await showFile(file, maxTokens);
    ledger.divide(file.path, shown.parts.length);
    for (const part of shown.parts) {
      if (parts.length > 0 && tokens + part.tokens > maxTokens) {
        yield { parts };
        parts = [];
        tokens = 0;
        maxTokens = roomForPack();
      }
      parts.push(part);
      tokens += part.tokens;
    }
    if (!shown.isWhole) ledger.miss(file.path, 'budget');
  }
  if (parts.length > 0) yield { parts };
}
