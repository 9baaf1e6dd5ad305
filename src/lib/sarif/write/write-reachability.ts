import { isDeepStrictEqual } from 'node:util';
import type { CodeFlow, Location } from 'sarif';
import { normalizeFilePath, readUri, uriOfFilePath } from '../file-path.ts';
import { readReachability } from '../read/read-reachability.ts';
import { type CallFrame, FINDING_LIMITS, type Reachability } from '../scan-finding.ts';

/** The base that paths in an export are relative to. */
export const SOURCE_ROOT = '%SRCROOT%';

/** GitHub refuses results with more steps than this over all their code flows. */
const MAX_STEPS = 10_000;

/**
 * Writes each call stack as a code flow. `exact` tells whether reading the flows back gives the same reachability;
 * natively reported stacks may have any form.
 */
export function writeReachability(reachability: Reachability): { codeFlows: CodeFlow[]; exact: boolean } {
  let room = MAX_STEPS;
  const codeFlows: CodeFlow[] = [];
  for (const stack of reachability.callStacks) {
    const frames = framesOf(stack).slice(0, room);
    room -= frames.length;
    if (frames.length === 0) continue;
    const locations = frames.map((frame) => ({ location: locationOf(frame) }));
    codeFlows.push({ threadFlows: [{ locations }] });
  }
  const first = codeFlows[0];
  if (first && reachability.explanation) first.message = { text: reachability.explanation };
  return { codeFlows, exact: isDeepStrictEqual(readBack(codeFlows), reachability) };
}

function readBack(codeFlows: CodeFlow[]): Reachability | null {
  return readReachability({ codeFlows } as Parameters<typeof readReachability>[0], {
    paths: (location) => {
      if (location?.uri == null) return null;
      const { absolute, path } = readUri(location.uri);
      return absolute ? `/${path}` : path;
    },
    sharedSteps: [],
    textOf: (message) => message?.text ?? '',
  });
}

function framesOf(stack: unknown): CallFrame[] {
  if (isRecord(stack) && Array.isArray(stack.frames)) return stack.frames.map(frameOf);
  return (Array.isArray(stack) ? stack : [stack]).map(frameOf);
}

/** Interprets a frame by its property names; anything else is shown as text. */
function frameOf(value: unknown): CallFrame {
  if (!isRecord(value)) {
    const message = typeof value === 'string' ? value : toDisplayText(value);
    return { filePath: null, line: null, function: null, message };
  }
  const pick = (names: string[]) => names.map((name) => value[name]).find((found) => found != null);
  const text = (names: string[]) => {
    const found = pick(names);
    return typeof found === 'string' ? found : null;
  };
  const line = pick(['line', 'startLine', 'start_line']);
  return {
    filePath: text(['filePath', 'file_path', 'file', 'path']),
    line: Number.isSafeInteger(line) && Number(line) >= 1 ? Number(line) : null,
    function: text(['function', 'name', 'symbol']),
    message: text(['message', 'text']),
  };
}

/** The location of a file: relative to the root of the repository unless its path is absolute. */
export function artifactLocationOf(filePath: string) {
  const uri = uriOfFilePath(filePath);
  return filePath.startsWith('/') ? { uri } : { uri, uriBaseId: SOURCE_ROOT };
}

function locationOf(frame: CallFrame): Location {
  return {
    ...(frame.filePath !== null && {
      physicalLocation: {
        artifactLocation: artifactLocationOf(
          (frame.filePath.startsWith('/') ? '/' : '') + normalizeFilePath(frame.filePath),
        ),
        ...(frame.line !== null && { region: { startLine: frame.line } }),
      },
    }),
    ...(frame.function !== null && { logicalLocations: [{ fullyQualifiedName: frame.function }] }),
    ...(frame.message !== null && { message: { text: frame.message } }),
  };
}

function toDisplayText(value: unknown): string {
  return JSON.stringify(value)?.slice(0, FINDING_LIMITS.reasonLength) ?? '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
