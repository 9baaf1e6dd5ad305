/** Maximum number of entries: more than are needed at the same time, and a few megabytes in total. */
const maxAnswers = 500;
const maxLength = 16_384;

/**
 * A cache for answers that depend on commits alone, which never change. Every event of a pull request needs them, and asking
 * Git each time would be slow. The mirror is part of the key, so that no organization gets the answers of another.
 */
export class KeptAnswers {
  /** In order of use, the most recent last. */
  readonly #answers = new Map<string, string>();

  /** Returns the cached answer, or asks and caches it if it is final. */
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
