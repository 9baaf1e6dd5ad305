import type { ChangeSource } from '../../change/change-source.ts';
import type { ReviewConfiguration } from '../../configuration/review-configuration.ts';
import { partAt, type RunPart } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import type { FoundGuidelines } from './find-guidelines.ts';

const guidelinesPart = partAt<typeof import('./guidelines-part.ts')>('guidelines-part', import.meta.url);

/** The guidelines for the files of a review; none if the change has no repository, or they are turned off. */
export async function readGuidelines(
  {
    change,
    configuration,
    run,
  }: {
    readonly change: ChangeSource;
    readonly configuration: ReviewConfiguration;
    readonly run: RunPart;
  },
  files: readonly string[],
): Promise<FoundGuidelines & { readonly notes: readonly string[] }> {
  const { enabled, files: globs } = configuration.knowledge_base.guidelines;
  const none = { guidelines: [], unread: [], notes: [] };
  if (!enabled || globs.length === 0 || change.kind !== 'commits') return none;
  try {
    const found = await run(guidelinesPart, { change, globs, files });
    const { unread } = found;
    return {
      ...found,
      notes: unread.length === 0 ? [] : [`Guidelines that could not be read: ${listed(unread)}`],
    };
  } catch (error) {
    if (!(error instanceof PartEnded)) throw error;
    return { ...none, notes: [`The guidelines of the repository were not read: ${error.message}`] };
  }
}

const maxListed = 10;

/** The first names of a list as text, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return `${names.slice(0, maxListed).join(', ')}${more}`;
}
