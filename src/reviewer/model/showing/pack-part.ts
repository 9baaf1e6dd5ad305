import { type ChangeSource, filesByPath } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import type { ShownPack } from '../model-reviewer.ts';
import { focusOn } from './focus.ts';
import { type FilePart, showFile } from './show-file.ts';

export interface PackRequest {
  readonly change: ChangeSource;
  readonly since?: ChangeSource | null | undefined;
  /** The remaining files; `part` is the index of the part of the first one to start with. */
  readonly paths: readonly string[];
  readonly part: number;
  /** The maximum tokens per part of the first file, if the previous pack started it. */
  readonly dividedBy?: number | undefined;
  readonly maxTokens: number;
}

/** Limits the work of one call if many files have nothing to show. */
const maxFiles = 500;

/**
 * Shows files in their order, so that files of one folder are seen together. Texts are read lazily: if the budget ends a large
 * change early, most are never read.
 */
export async function work(
  { change: source, since, paths, part: first, dividedBy, maxTokens }: PackRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<ShownPack> {
  const files = filesByPath(await openChange(source));
  const later = since == null ? null : await openChange(since);
  const parts: FilePart[] = [];
  const divided: ShownPack['divided'][number][] = [];
  let tokens = 0;
  for (const [at, path] of paths.slice(0, maxFiles).entries()) {
    const from = at === 0 ? first : 0;
    const partTokens = from === 0 ? maxTokens : (dividedBy ?? maxTokens);
    const shown = await showFile(focusOn(later, files.get(path)!), partTokens);
    if (from === 0) divided.push({ path, parts: shown.parts.length, isWhole: shown.isWhole });
    for (const [index, part] of shown.parts.entries()) {
      if (index < from) continue;
      if (parts.length > 0 && tokens + part.tokens > maxTokens) {
        // The file starts in the next pack.
        if (index === 0) divided.pop();
        return { parts, divided, next: { file: at, part: index, dividedBy: partTokens } };
      }
      parts.push(part);
      tokens += part.tokens;
    }
  }
  return { parts, divided, next: paths.length > maxFiles ? { file: maxFiles, part: 0 } : null };
}
