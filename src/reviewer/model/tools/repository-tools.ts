import type { JSONSchema7 } from 'ai';
import { PartEnded } from '../../process/part-failure.ts';
import type { Fence } from '../fence.ts';
import type { ModelTool } from '../question.ts';

/** The tools by which a model can read the repository. */
export type RepositoryToolName =
  | 'read_file'
  | 'search_code'
  | 'find_definition'
  | 'find_references'
  | 'list_files'
  | 'file_history';

/** Runs a tool in a review process; the result has no credentials, and a bounded length. */
export type LookUp = (name: RepositoryToolName, input: unknown) => Promise<string>;

const text = (description: string) => ({ type: 'string', description }) as const;
const number = (description: string) => ({ type: 'integer', minimum: 1, description }) as const;
const revision = {
  type: 'string',
  enum: ['head', 'base'],
  description: 'head: after the change (default); base: before it',
} as const;

const schemaOf = (properties: JSONSchema7['properties'], ...required: string[]): JSONSchema7 => ({
  type: 'object',
  properties: { ...properties, revision },
  required,
  additionalProperties: false,
});

const tools: Readonly<Record<RepositoryToolName, { description: string; inputSchema: JSONSchema7 }>> = {
  read_file: {
    description: 'Reads a file of the repository, or some of its lines.',
    inputSchema: schemaOf(
      {
        path: text('from the root of the repository'),
        start_line: number('the first line'),
        end_line: number('the last line'),
      },
      'path',
    ),
  },
  search_code: {
    description: 'Finds the lines of the repository that contain a text (no pattern).',
    inputSchema: schemaOf(
      {
        text: text('what to look for'),
        path: text('only in this file, folder or glob'),
        ignore_case: { type: 'boolean' },
      },
      'text',
    ),
  },
  find_definition: {
    description: 'Finds where a function, class, type or constant is defined, and shows it.',
    inputSchema: schemaOf(
      { name: text('its name'), path: text('a file that uses it; the nearest definitions come first') },
      'name',
    ),
  },
  find_references: {
    description: 'Finds the lines that use a function, class, type or constant.',
    inputSchema: schemaOf({ name: text('its name'), path: text('the file that defines it') }, 'name'),
  },
  list_files: {
    description: 'Lists the files of the repository.',
    inputSchema: schemaOf({ path: text('only this folder or glob') }),
  },
  file_history: {
    description: 'Lists the last commits that changed a file: when, and what they say.',
    inputSchema: schemaOf({ path: text('from the root of the repository') }, 'path'),
  },
};

const maxCalls = 20;

/** Offers the tools in one review, and counts and limits their calls. */
export class RepositoryTools {
  readonly #lookUp: LookUp | undefined;
  #calls = 0;

  /** `lookUp` is undefined for a change without a repository; then there are no tools. */
  constructor(lookUp: LookUp | undefined) {
    this.#lookUp = lookUp;
  }

  /** The number of calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** The tools for a model; their results are fenced as data of its prompt. */
  offer(fence: Fence): ModelTool[] {
    const lookUp = this.#lookUp;
    if (lookUp === undefined || this.#calls >= maxCalls) return [];
    return (Object.keys(tools) as RepositoryToolName[]).map((name) => ({
      name,
      ...tools[name],
      run: (input) => this.#run(name, input, lookUp, fence),
    }));
  }

  async #run(name: RepositoryToolName, input: unknown, lookUp: LookUp, fence: Fence): Promise<string> {
    if (this.#calls >= maxCalls) return 'No more calls are possible in this review; answer now.';
    this.#calls += 1;
    try {
      return fence.around(`answer of the tool ${name}`, await lookUp(name, input));
    } catch (error) {
      return error instanceof PartEnded ? `The tool failed: ${error.message}` : 'The tool failed.';
    }
  }
}
