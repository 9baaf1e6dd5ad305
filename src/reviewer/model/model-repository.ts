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
  /** The change since the version that a model last reviewed. */
  readonly since?: ChangeSource | null | undefined;
  /** All files that the model is shown, over all calls. */
  readonly files: readonly string[];
  /** The result of searching the repository for affected code, if that was done. */
  readonly sight?: Sight | null;
}

/** A model's access to the repository of a change; undefined for a diff without a repository. */
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
