import type { Host } from '../../src/capabilities/connections/hosts/host.ts';
import { HostUnavailable } from '../../src/capabilities/connections/hosts/host.ts';
import type {
  HostComment,
  HostStatus,
  ReviewHost,
  ThreadPlace,
} from '../../src/capabilities/connections/hosts/review-host.ts';

interface DoubleThread {
  readonly id: string;
  readonly path: string;
  readonly side: 'new' | 'old';
  /** The last line of the comment, as it was posted. */
  readonly line: number | null;
  readonly headSha: string;
  readonly begun?: ThreadPlace;
  isResolved: boolean;
  resolvedBy?: { readonly id: string; readonly username: string };
  readonly comments: HostComment[];
}

/** The comments and statuses of one pull request. */
export interface DoublePull {
  readonly threads: DoubleThread[];
  readonly conversation: HostComment[];
  readonly statuses: (HostStatus & { readonly sha: string })[];
  /** The number of posted reviews. */
  reviews: number;
}

type Write = 'publishReview' | 'writeComment' | 'editComment' | 'reply' | 'resolve' | 'setStatus';

/** An in-memory double of the writing part of a host, which can fail before or after a write was carried out. */
export class ReviewHostDouble {
  readonly pulls = new Map<string, DoublePull>();
  /** Every write, in order. */
  readonly writes: string[] = [];
  /** Called before (`done` is false) and after each write; may throw, or delay it. */
  fault: (write: Write, done: boolean) => void | Promise<void> = () => {};
  #last = 0;

  pull(repository: { readonly id: string | number }, number: number): DoublePull {
    const key = `${repository.id}/${number}`;
    const known = this.pulls.get(key) ?? { threads: [], conversation: [], statuses: [], reviews: 0 };
    this.pulls.set(key, known);
    return known;
  }

  #comment(body: string): HostComment {
    this.#last += 1;
    const id = `c${this.#last}`;
    const author = { id: 'own', username: 'postil-bot', isBot: true };
    const url = `https://host.test/comments/${id}`;
    return { id, url, author, body, createdAt: new Date(), isOwn: true, reactions: null };
  }

  async #write<Result>(write: Write, work: () => Result): Promise<Result> {
    await this.fault(write, false);
    const result = work();
    this.writes.push(write);
    await this.fault(write, true);
    return result;
  }

  /** Returns the given host with its writing part replaced by this double. */
  onto(host: Host, url: string, token: string): Host {
    const own: ReviewHost = {
      cloneSource: async ({ fullName }, number) => ({
        url: `${url}/${fullName}.git`,
        authorization: `token ${token}`,
        headRef: `refs/pull/${number}/head`,
      }),
      readThreads: async (repository, number) =>
        this.pull(repository, number).threads.map((thread) => ({
          ...thread,
          resolvedBy: thread.resolvedBy ?? null,
        })),
      listConversation: (repository, number) => {
        const comments = [...this.pull(repository, number).conversation];
        return (async function* () {
          yield* comments;
        })();
      },
      suggestionBlock: (replacement) => `\`\`\`suggestion\n${replacement}\n\`\`\``,
      publishReview: async (repository, number, review) =>
        this.#write('publishReview', () => {
          const pull = this.pull(repository, number);
          pull.reviews += 1;
          const posted = review.comments.map(({ key, path, side, last, body }) => {
            const comment = this.#comment(body);
            const id = `t${comment.id}`;
            const line = side === 'new' ? last.newLine : last.oldLine;
            const { headSha } = review;
            pull.threads.push({ id, path, side, line, headSha, isResolved: false, comments: [comment] });
            return { key, commentId: comment.id, threadId: id, url: comment.url };
          });
          return { posted, refused: [] };
        }),
      writeComment: async (repository, number, body) =>
        this.#write('writeComment', () => {
          const comment = this.#comment(body);
          this.pull(repository, number).conversation.push(comment);
          return { id: comment.id, url: comment.url };
        }),
      editComment: async (repository, number, id, body) =>
        this.#write('editComment', () => {
          const { conversation } = this.pull(repository, number);
          const index = conversation.findIndex((comment) => comment.id === id);
          if (index === -1) return null;
          const comment = { ...conversation[index]!, body };
          conversation.splice(index, 1, comment);
          return { id: comment.id, url: comment.url };
        }),
      reply: async (_repository, _number, thread, body) =>
        this.#write('reply', () => {
          const comment = this.#comment(body);
          (thread.comments as HostComment[]).push(comment);
          return { id: comment.id, url: comment.url };
        }),
      resolve: async (repository, number, thread) =>
        this.#write('resolve', () => {
          this.pull(repository, number).threads.find(({ id }) => id === thread.id)!.isResolved = true;
          return true;
        }),
      setStatus: async (repository, number, sha, status) =>
        this.#write('setStatus', () => void this.pull(repository, number).statuses.push({ ...status, sha })),
      mayPush: (...given) => host.mayPush(...given),
      isProtected: (...given) => host.isProtected(...given),
      commitAddress: (...given) => host.commitAddress(...given),
    };
    return { ...host, ...own };
  }
}

/** The error of a broken connection, after which the caller does not know whether the write was carried out. */
export const lostAnswer = () => new HostUnavailable('the connection was lost');
