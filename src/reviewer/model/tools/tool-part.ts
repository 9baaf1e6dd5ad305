import { z } from 'zod';
import type { ChangeSource } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import { GitError } from '../../repository/run-git.ts';
import { openTree } from '../../repository/tree-view.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { findDefinition, findUses } from './code-tools.ts';
import { fileHistory, listFiles, readFile, searchCode } from './file-tools.ts';
import type { RepositoryToolName } from './repository-tools.ts';
import type { ToolPlace } from './tool-place.ts';

export interface ToolRequest {
  readonly change: ChangeSource & { readonly kind: 'commits' };
  readonly name: RepositoryToolName;
  /** The input as the model wrote it. */
  readonly input: unknown;
}

const maxTokens = 4_000;
const maxMs = 15_000;
const path = z.string().min(1).max(4096);
const name = z.string().trim().min(1).max(200);
const line = z.coerce.number().int().min(1).max(10_000_000).nullish();

/** Models add fields that the schema does not have; they are ignored. */
const tool = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (input: z.output<z.ZodObject<Shape>>, place: ToolPlace) => Promise<string[]>,
) => ({
  use: (input: unknown, place: ToolPlace) => {
    const read = z.object(shape).safeParse(input);
    return read.success ? run(read.data, place) : ['The input does not fit the tool.'];
  },
});

const toolsByName = {
  read_file: tool({ path, start_line: line, end_line: line }, readFile),
  search_code: tool(
    { text: z.string().min(1).max(500), path: path.nullish(), ignore_case: z.boolean().nullish() },
    searchCode,
  ),
  find_definition: tool({ name, path: path.nullish() }, findDefinition),
  find_references: tool({ name, path: path.nullish() }, findUses),
  list_files: tool({ path: path.nullish() }, listFiles),
  file_history: tool({ path }, fileHistory),
} satisfies Record<RepositoryToolName, unknown>;

const revisionOf = z.object({ revision: z.enum(['head', 'base']).nullish().catch(null) }).catch({});

/** Answers a tool call from the repository, at the base or head of a change; no input can reach anything else. */
export async function work(
  { change, name: wanted, input }: ToolRequest,
  { deadline }: Pick<Workplace, 'deadline'>,
): Promise<string> {
  const end = performance.now() + maxMs;
  const isBase = revisionOf.parse(input).revision === 'base';
  const tree = openTree(change.repository, isBase ? change.base : change.head);
  const isLate = () => deadline.aborted || performance.now() > end;
  try {
    return cut(await toolsByName[wanted].use(input, { tree, repository: change.repository, isLate }));
  } catch (error) {
    if (error instanceof GitError) return 'The repository could not be read.';
    throw error;
  } finally {
    await tree.close();
  }
}

/** As many lines as fit, and the number of the others. */
function cut(lines: readonly string[]): string {
  const kept: string[] = [];
  let room = maxTokens - 20;
  for (const text of lines) {
    room -= estimateTokens(text) + 1;
    if (room < 0) return [...kept, `… cut: ${lines.length - kept.length} more lines`].join('\n');
    kept.push(text);
  }
  return kept.join('\n');
}
