/**
 * How every text that Postil posts begins. Hosts show no HTML comments; a draft that was left behind by an interrupted
 * call is recognized by it.
 */
export const postedTextStart = '<!-- postil:';

/** How a repository is named in calls to the host. */
export interface RepositoryRef {
  readonly id: string;
  readonly fullName: string;
}

/** A review comment on a line or a file. */
export interface HostReviewComment {
  readonly id: string;
  readonly url: string;
  readonly author: { readonly id: string; readonly username: string; readonly isBot: boolean } | null;
  readonly body: string;
  readonly createdAt: Date;
}

/** Where a repository is fetched from with Git over HTTP. */
export interface CloneSource {
  readonly url: string;
  /** The value of the Authorization header; null if none is needed. Never logged, never part of the URL. */
  readonly authorization: string | null;
  /** The ref of a pull request's head, which outlives its branch. */
  readonly headRef: string;
}

/** A comment of a pull request's conversation, or of one of its threads. */
export interface HostComment extends HostReviewComment {
  /** Written by the connection's own account. */
  readonly isOwn: boolean;
  /** By name as the host has them, such as `+1`; null if the host was not asked, or does not say. */
  readonly reactions: Readonly<Record<string, number>> | null;
  /** Its text was changed later, by its author or by somebody else who may; absent if the host does not say. */
  readonly isEdited?: boolean;
}

/** Hosts may save a comment again within a few seconds of its creation, which is no edit. */
const savingMs = 5_000;

/** Whether a comment was edited, by when it was written and last changed. */
export function wasEdited(createdAt: string, updatedAt: string | undefined): boolean {
  return updatedAt !== undefined && Date.parse(updatedAt) - Date.parse(createdAt) > savingMs;
}

/** Lines of a version, on the side of a thread. */
export interface ThreadPlace {
  readonly revision: string;
  readonly startLine: number | null;
  readonly line: number | null;
}

/** A conversation about lines of the diff, or about a file as a whole. */
export interface HostThread {
  readonly id: string;
  readonly path: string;
  readonly side: 'new' | 'old';
  /** The last line of the thread; null if it is about the file, or the line is no longer part of the diff. */
  readonly line: number | null;
  /** The first line; absent or null if the thread is about one line only. */
  readonly startLine?: number | null;
  /**
   * The place at which the thread was started, in the version of that time; absent if the host does not say. Its lines are
   * null if the thread is about the file.
   */
  readonly begun?: ThreadPlace;
  /**
   * Whether the lines refer to the current head, because the host moves them with every push. Absent if they still refer to
   * the version in `begun`.
   */
  readonly isPlacedInHead?: boolean;
  readonly isResolved: boolean;
  /** Null while it is open, or if the host does not say. */
  readonly resolvedBy: { readonly id: string; readonly username: string } | null;
  /** Whether somebody applied a suggestion of the first comment; absent if the host does not say. */
  readonly isSuggestionApplied?: boolean;
  /** Oldest first; never empty. */
  readonly comments: readonly HostComment[];
}

/** A comment on consecutive lines within one hunk of the diff. */
export interface NewReviewComment {
  /** A text that occurs in this body and in no other comment of the review, to find the comment again at the host. */
  readonly key: string;
  readonly path: string;
  /** The path in the base; null for an added file. */
  readonly oldPath: string | null;
  readonly side: 'new' | 'old';
  /** The first and last commented line; both exist on `side`. */
  readonly first: DiffLine;
  readonly last: DiffLine;
  readonly body: string;
}

/** A line as the diff shows it. On the side that does not have it, its number is that of the next line there. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly oldLine: number;
  readonly newLine: number;
}

export interface NewReview {
  /** The merge base that the diff starts from. */
  readonly baseSha: string;
  readonly headSha: string;
  readonly body: string;
  readonly comments: readonly NewReviewComment[];
}

export interface PostedComment {
  readonly key: string;
  readonly commentId: string;
  readonly threadId: string;
  readonly url: string;
}

/** Where a text is that was posted or edited. */
export interface PostedText {
  readonly id: string;
  readonly url: string;
}

export interface PublishedReview {
  readonly posted: readonly PostedComment[];
  /** Comments that the host rejected because of their place; the rest of the review is posted. */
  readonly refused: readonly { readonly key: string; readonly reason: string }[];
}

/** The names under which hosts list what a pull request shows. */
export const statusNames = { review: 'postil', checks: 'postil/checks' } as const;

/**
 * A status of the head commit. `neutral` never appears green. `warning` means that everything was reviewed and something
 * deserves a look; it is not green either, unless every other state of the host would block the merge.
 */
export interface HostStatus {
  /** What the status is about: the review if absent. */
  readonly of?: 'review' | 'checks';
  readonly state: 'pending' | 'success' | 'failure' | 'neutral' | 'warning';
  /** One short sentence. */
  readonly title: string;
  /** Markdown; hosts with one line for a status do not show it. */
  readonly description: string;
  /** Where to read more, in Postil; null if it has no address of its own. */
  readonly url: string | null;
}

/** Somebody with an account at the host. */
export interface HostPerson {
  readonly id: string;
  readonly username: string;
}

/**
 * The writing side of a host: reviews, their threads, the summary and the status of a commit. Calls throw HostRefused or
 * HostUnavailable. After either the write may or may not have happened, so callers check the host before they retry.
 */
export interface ReviewHost {
  cloneSource(repository: RepositoryRef, number: number): Promise<CloneSource>;
  /** All threads of the diff, outdated ones too. */
  readThreads(repository: RepositoryRef, number: number): Promise<readonly HostThread[]>;
  /** Comments that are not about lines, oldest first; those changed before `since` may be left out. */
  listConversation(repository: RepositoryRef, number: number, since?: Date): AsyncIterable<HostComment>;
  /** How the host writes a suggestion that replaces this many lines, as part of a comment on them. */
  suggestionBlock(replacement: string, lineCount: number): string;
  /** Posts one review. A comment with an invalid place does not prevent the others. */
  publishReview(repository: RepositoryRef, number: number, review: NewReview): Promise<PublishedReview>;
  /** Posts a comment in the conversation. */
  writeComment(repository: RepositoryRef, number: number, body: string): Promise<PostedText>;
  /** Edits an own comment in the conversation; null if it was deleted. */
  editComment(
    repository: RepositoryRef,
    number: number,
    id: string,
    body: string,
  ): Promise<PostedText | null>;
  /** Answers in a thread. */
  reply(repository: RepositoryRef, number: number, thread: HostThread, body: string): Promise<PostedText>;
  /** Marks a thread as resolved; false if the host has no call for it, or does not let the account. */
  resolve(repository: RepositoryRef, number: number, thread: HostThread): Promise<boolean>;
  /** Sets a status on the head commit of a pull request, replacing the previous one of the same kind. */
  setStatus(repository: RepositoryRef, number: number, sha: string, status: HostStatus): Promise<void>;
  /** Whether somebody may push to a repository. Null, or an error of the host, if the account may not know. */
  mayPush(repository: RepositoryRef, person: HostPerson): Promise<boolean | null>;
  /** Whether a branch is protected: not everybody who may push to the repository may push to it. Null as above. */
  isProtected(repository: RepositoryRef, branch: string): Promise<boolean | null>;
  /**
   * The email address by which the host attributes commits to an account: one that does not reveal the person's real
   * address.
   */
  commitAddress(account: HostPerson): string;
}
