import { PartEnded } from '../process/part-failure.ts';
import type { Snippet } from './context/snippet.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { chooseGuidelines } from './guidelines/choose-guidelines.ts';
import type { Guideline } from './guidelines/guideline.ts';
import { listed } from './guidelines/read-guidelines.ts';
import type { ModelRequest, ShownPack } from './model-reviewer.ts';

/** What a call shows besides the change. */
export interface Beside {
  readonly guidelines: readonly Guideline[];
  readonly context: readonly Snippet[];
}

export const nothingBeside: Beside = { guidelines: [], context: [] };

type Pack = Pick<ShownPack, 'parts'>;
type Around = Pick<ModelRequest, 'guidelines' | 'repository'>;

const maxGuidelineTokens = 8_000;
/** The tokens of the sentences that introduce guidelines or context in a prompt. */
const headingTokens = 150;
/** Less context is of no use. */
const leastContextTokens = 100;

/** Chooses guidelines and context for each call of a review, and records what is left out. */
export class Surroundings {
  readonly #request: Around;
  readonly #shown = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #unseen = new Set<string>();
  readonly #contextTokens: number;

  constructor(request: Around, contextTokens: number) {
    this.#request = request;
    this.#contextTokens = contextTokens;
  }

  /** Chooses as much as fits into `maxTokens`. */
  async of({ parts }: Pack, maxTokens: number): Promise<Beside> {
    const paths = [...new Set(parts.map(({ path }) => path))];
    const room = Math.min(maxGuidelineTokens, maxTokens);
    const { shown, cut, leftOut } = chooseGuidelines(this.#request.guidelines ?? [], paths, room);
    for (const { path } of shown) this.#shown.add(path);
    for (const path of cut) this.#cut.add(path);
    for (const path of leftOut) this.#leftOut.add(path);
    const used = shown.reduce((sum, { path, text }) => sum + estimateTokens(path + text) + headingTokens, 0);
    return { guidelines: shown, context: await this.#context(parts, maxTokens - used) };
  }

  async #context(parts: Pack['parts'], maxTokens: number): Promise<readonly Snippet[]> {
    const { repository } = this.#request;
    const room = Math.min(this.#contextTokens, maxTokens - headingTokens);
    if (repository === undefined || room < leastContextTokens) return [];
    try {
      const shown = parts.map(({ path, hunks }) => ({ path, hunks }));
      const { snippets, notes } = await repository.context(shown, room);
      for (const note of notes) this.#unseen.add(note);
      return snippets;
    } catch (error) {
      if (!(error instanceof PartEnded)) throw error;
      this.#unseen.add(`The model did not see the code around the change: ${error.message}`);
      return [];
    }
  }

  /** The paths of the guidelines that any call has shown. */
  get guidelines(): string[] {
    return [...this.#shown];
  }

  /** Notes for the reader about what was not shown. */
  get notes(): string[] {
    return [
      ...(this.#cut.size === 0
        ? []
        : [`The model saw only the beginning of the guidelines ${listed([...this.#cut])}`]),
      ...(this.#leftOut.size === 0
        ? []
        : [`The model did not see the guidelines ${listed([...this.#leftOut])}`]),
    ]
      .map((note) => `${note}, for lack of room`)
      .concat(...this.#unseen);
  }
}
