/** More than are asked about at the same time; all of them together are some megabytes at most. */
const maxAnswers = 500;
const maxLength = 16_384;

/**
 * What follows from commits alone, whose ids say all that they hold: asked of Git once, because everything that happens to a pull
 * request asks it again. Nobody else's question is answered, since the mirror is a part of it.
 */
export class KeptAnswers {
  /** The one that was asked for last comes last. */
  readonly #answers = new Map<string, string>();

  /** The answer as plain JSON; one that is not final is asked for again. */
  async ask<Answer>(
    question: readonly string[],
    ask: () => Promise<Answer>,
    isFinal: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) {
      this.#keep(key, known);
      return JSON.parse(known) as Answer;
    }
    const answer = await ask();
    const text = isFinal(answer) ? JSON.stringify(answer) : undefined;
    if (text !== undefined && text.length <= maxLength) this.#keep(key, text);
    return answer;
  }

  #keep(key: string, text: string): void {
    this.#answers.delete(key);
    this.#answers.set(key, text);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxAnswers) return;
      this.#answers.delete(oldest);
    }
  }
}
