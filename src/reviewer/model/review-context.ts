/** The author's description of a change. */
export interface PullRequestText {
  readonly title: string;
  readonly description: string;
}

/** A Learning that a review may follow. */
export interface LearningForReview {
  readonly id: string;
  readonly text: string;
}

/** The source of Learnings for a review; the caller decides on repository, visibility and approval. */
export interface LearningsForReview {
  /** The Learnings in scope of the paths, the most similar to the text first. The text must be free of credentials. */
  find(query: {
    readonly paths: readonly string[];
    readonly text: string;
    readonly limit: number;
  }): Promise<readonly LearningForReview[]>;
}

/** A finding of an earlier run of the same pull request. */
export interface KnownFinding {
  readonly path: string;
  readonly title: string;
}
