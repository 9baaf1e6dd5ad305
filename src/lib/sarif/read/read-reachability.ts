import { clipText } from '../clip-text.ts';
import { type CallFrame, FINDING_LIMITS, type Reachability } from '../scan-finding.ts';
import type { ArtifactPaths } from './artifact-paths.ts';
import { lineOf } from './read-place.ts';
import type { Message, SarifResult, Step } from './sarif-shape.ts';

export type FlowContext = {
  paths: ArtifactPaths;
  /** Steps shared by several flows of the run. */
  sharedSteps: readonly Step[];
  textOf(message: Message | null | undefined): string;
};

/**
 * Reads the call stacks of a result: each thread of each code flow, then each stack; null if there are none. If there are
 * too many, the first stacks and frames are kept.
 */
export function readReachability(
  result: Pick<SarifResult, 'codeFlows' | 'stacks'>,
  context: FlowContext,
): Reachability | null {
  const threads = (result.codeFlows ?? []).flatMap((flow) => flow.threadFlows ?? []);
  const stacks = result.stacks ?? [];
  const callStacks = [...threads.map((thread) => thread.locations), ...stacks.map((stack) => stack.frames)]
    .filter((steps) => steps != null && steps.length > 0)
    .slice(0, FINDING_LIMITS.callStackCount)
    .map((steps) =>
      (steps ?? []).slice(0, FINDING_LIMITS.callFrameCount).map((step) => frameOf(step, context)),
    );

  const messages = [...(result.codeFlows ?? []), ...threads, ...stacks].map(({ message }) => message);
  const explained = messages.map(context.textOf).find((text) => text !== '') ?? '';
  const explanation = clipText(explained, FINDING_LIMITS.explanationLength) || null;
  return callStacks.length === 0 && explanation === null ? null : { callStacks, explanation };
}

function frameOf(step: Step, context: FlowContext): CallFrame {
  const location = step.location ?? context.sharedSteps[step.index ?? -1]?.location;
  const logical = location?.logicalLocations?.[0];
  return {
    filePath: context.paths(location?.physicalLocation?.artifactLocation),
    line: lineOf(location?.physicalLocation?.region?.startLine) ?? null,
    function: clip(logical?.fullyQualifiedName ?? logical?.name),
    message: clip(context.textOf(location?.message)),
  };
}

function clip(text: string | null | undefined): string | null {
  return clipText(text ?? '', FINDING_LIMITS.reasonLength) || null;
}
