import type { ChangeSource } from '../change/change-source.ts';
import type { RunPart } from '../process/part.ts';
import { partAt } from '../process/part.ts';
import type { Sight } from '../sight.ts';
import { impactFor, knownImpact } from './context/known-impact.ts';
import type { ModelRepository } from './model-reviewer.ts';

const contextPart = partAt<typeof import('./context/context-part.ts')>(
  'context/context-part',
  import.meta.url,
);
const toolPart = partAt<typeof import('./tools/tool-part.ts')>('tools/tool-part', import.meta.url);

export interface Behind {
  readonly change: ChangeSource;
  /** What changed since a model last looked. */
  readonly since?: ChangeSource | null | undefined;
  /** The files that the model is shown in all. */
  readonly files: readonly string[];
  /** What a look into the repository found out, if there was one. */
  readonly sight?: Sight | null;
}

/** What a model can see of the repository behind a change; a diff alone has none. */
export function repositoryBehind(
  run: RunPart,
  { change, since, files, sight }: Behind,
): ModelRepository | undefined {
  if (change.kind !== 'commits') return undefined;
  const raised = (sight?.findings ?? []).map((finding) => ({ ...finding, rule: finding.source.name }));
  const known = knownImpact(sight?.impact ?? [], raised);
  return {
    context: (shown, maxTokens) =>
      run(contextPart, { change, since, shown, known: impactFor(known, shown, files), maxTokens }),
    lookUp: (name, input) => run(toolPart, { change, name, input }),
  };
}
