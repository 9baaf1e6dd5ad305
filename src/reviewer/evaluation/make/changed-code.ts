import type { Change, ChangedFile } from '../../change/change.ts';
import type { CodeFacts } from '../../code/code-facts.ts';
import type { Language } from '../../code/language.ts';

/** Both versions of a file of a change, as far as they exist, with the facts of their syntax. */
export interface ChangedCode {
  readonly file: ChangedFile;
  readonly language: Language;
  readonly oldPath: string;
  readonly before: { readonly text: string; readonly facts: CodeFacts } | null;
  readonly after: { readonly text: string; readonly facts: CodeFacts } | null;
  /** Lines of the old version that the change removed. */
  readonly removedLines: ReadonlySet<number>;
}

/** Reads the code of a change; a file that does not parse is left out. */
export async function readChangedCode(
  change: Change,
  languages: readonly Language[],
): Promise<ChangedCode[]> {
  const found: ChangedCode[] = [];
  for (const file of change.files) {
    const oldPath = file.oldPath ?? file.path;
    const language = languages.find((each) => each.covers(file.path) && each.covers(oldPath));
    if (language === undefined || file.missing !== null) continue;
    const before = file.kind === 'added' ? undefined : await sideOf(language, oldPath, await file.oldText());
    const after =
      file.kind === 'deleted' ? undefined : await sideOf(language, file.path, await file.newText());
    // A file that was only renamed has no texts here; they are not needed to know that its old path is gone.
    const isGone = file.kind === 'deleted' || file.kind === 'renamed';
    if (!isGone && after === undefined) continue;
    if (file.kind === 'modified' && before === undefined) continue;
    const removed = file.hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'removed');
    found.push({
      file,
      language,
      oldPath,
      before: before ?? null,
      after: after ?? null,
      removedLines: new Set(removed.map(({ oldLine }) => oldLine!)),
    });
  }
  return found;
}

async function sideOf(language: Language, path: string, text: string | undefined) {
  const facts = text === undefined ? undefined : await language.readFacts(path, text);
  return facts === undefined ? undefined : { text: text!, facts };
}
