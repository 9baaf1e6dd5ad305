import type { ModelRequest, ShownPack } from '../review/model-reviewer.ts';
import { chooseGuidelines } from './guidelines/choose-guidelines.ts';
import type { Guideline } from './guidelines/guideline.ts';
import { listed } from './guidelines/read-guidelines.ts';

/** What a call shows beside the change. */
export interface Beside {
  readonly guidelines: readonly Guideline[];
}

export const nothingBeside: Beside = { guidelines: [] };

const maxGuidelineTokens = 8_000;

/** Chooses for each call of a review what it shows beside the change, and keeps account of what it does not. */
export class Surroundings {
  readonly #request: ModelRequest;
  readonly #shown = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #leftOut = new Set<string>();

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  /** As much as fits so many tokens. */
  async of({ parts }: Pick<ShownPack, 'parts'>, maxTokens: number): Promise<Beside> {
    const paths = [...new Set(parts.map(({ path }) => path))];
    const room = Math.min(maxGuidelineTokens, maxTokens);
    const { shown, cut, leftOut } = chooseGuidelines(this.#request.guidelines ?? [], paths, room);
    for (const { path } of shown) this.#shown.add(path);
    for (const path of cut) this.#cut.add(path);
    for (const path of leftOut) this.#leftOut.add(path);
    return { guidelines: shown };
  }

  /** The guidelines that were shown in some call, by their paths. */
  get guidelines(): string[] {
    return [...this.#shown];
  }

  /** What was not shown, for people. */
  get notes(): string[] {
    return [
      ...(this.#cut.size === 0
        ? []
        : [`the model saw only the beginning of the guidelines ${listed([...this.#cut])}`]),
      ...(this.#leftOut.size === 0
        ? []
        : [`the model did not see the guidelines ${listed([...this.#leftOut])}`]),
    ].map((note) => `${note}, for lack of room`);
  }
}
