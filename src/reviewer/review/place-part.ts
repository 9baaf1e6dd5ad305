import { type ChangeSource, filesByPath } from '../change/change-source.ts';
import type { Finding } from '../finding.ts';
import { type Draft, identify } from '../judge/identify.ts';
import { placeQuote } from '../judge/place.ts';
import type { ModelFinding } from '../model/model-reviewer.ts';
import type { Workplace } from '../process/part.ts';

export interface PlaceRequest {
  readonly change: ChangeSource;
  readonly answers: readonly ModelFinding[];
  /** The files that the model was shown. */
  readonly paths: readonly string[];
  readonly lineages: Readonly<Record<string, string>>;
  readonly model: string;
}

/**
 * Places the findings of a model on the lines that it quotes. Findings about files that are not part of the change, or with a
 * quote that is not found, are dropped: so a model that obeys an injected instruction cannot report anything else.
 */
export async function work(
  { change: source, answers, paths, lineages, model }: PlaceRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<Finding[]> {
  const files = filesByPath(await openChange(source));
  const byPath = Map.groupBy(answers, ({ path }) => path);
  const placed: Finding[] = [];
  for (const path of paths) {
    const file = files.get(path)!;
    const own = byPath.get(path) ?? [];
    const text = own.length > 0 ? await file.newText() : undefined;
    const drafts = own.flatMap(({ quote, related = [], ...said }): Draft[] => {
      const place = placeQuote(quote, file, text);
      const grounds = { related, confidence: 'likely', cwe: null, rules: [] } as const;
      return place === null
        ? []
        : [{ ...said, ...place, ...grounds, source: { kind: 'model', name: model } }];
    });
    if (drafts.length > 0) placed.push(...(await identify(drafts, file, text, lineages[path])));
  }
  return placed;
}
