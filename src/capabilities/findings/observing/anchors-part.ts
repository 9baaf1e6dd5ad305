import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { readFileAt } from '../../../reviewer/repository/read-file-at.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { LineRange } from '../tracking/map-range.ts';
import { anchorOf } from './followed-finding.ts';

export interface AnchorPlace {
  readonly revision: string;
  readonly path: string;
  readonly range: LineRange;
}

/** The lines of files around findings, without secrets; null if the file is missing. */
export async function work({
  repository,
  places,
}: {
  readonly repository: RepositoryPlace;
  readonly places: readonly AnchorPlace[];
}): Promise<(AnchorText | null)[]> {
  const texts = new Map<string, readonly string[] | undefined>();
  const anchors: (AnchorText | null)[] = [];
  for (const { revision, path, range } of places) {
    const name = `${revision}:${path}`;
    if (!texts.has(name)) {
      const text = await readFileAt(repository, revision, path);
      texts.set(
        name,
        text === undefined ? undefined : redactCredentials(text.replace(/\n$/, '')).split('\n'),
      );
    }
    const lines = texts.get(name);
    anchors.push(lines === undefined || range.end > lines.length ? null : anchorOf(lines, range));
  }
  return anchors;
}
