import type { Host } from '../../capabilities/connections/hosts/host.ts';
import type { HostComment, HostThread } from '../../capabilities/connections/hosts/review-host.ts';
import type { HostDeps } from '../../capabilities/connections/open-host.ts';
import {
  demoHost,
  demoPeople,
  demoRepositories,
  demoTeams,
  organizationId,
  organizationName,
  ownAccount,
} from './company.ts';
import type { RecordedPull } from './recording.ts';

interface ShownPull extends Omit<RecordedPull, 'threads' | 'conversation'> {
  readonly threads: HostThread[];
  readonly conversation: HostComment[];
}

/**
 * The company's Git host: it returns the recorded data, and stores what is written to it in memory. Only the demo's server
 * uses it.
 */
export class DemoHost implements Host {
  readonly #pulls = new Map<string, ShownPull>();
  readonly #gitUrl: string;
  #last = 0;

  constructor(gitUrl: string) {
    this.#gitUrl = gitUrl;
  }

  show(pulls: readonly RecordedPull[]): void {
    for (const shown of pulls)
      this.#pulls.set(`${shown.repository}/${shown.pull.number}`, {
        ...shown,
        threads: [...shown.threads],
        conversation: [...shown.conversation],
      });
  }

  #find({ id }: { readonly id: string }, number: number): ShownPull | undefined {
    return this.#pulls.get(`${id}/${number}`);
  }

  #comment(place: { readonly id: string }, number: number, body: string): HostComment {
    this.#last += 1;
    const id = `demo-${this.#last}`;
    const author = { ...ownAccount, isBot: true };
    const { name } = demoRepositories.find((repository) => repository.id === place.id)!;
    const url = `${demoHost.url}/${organizationName}/${name}/pulls/${number}#issuecomment-${id}`;
    return { id, url, author, body, createdAt: new Date(), isOwn: true, reactions: null };
  }

  async describeAccount() {
    return ownAccount;
  }

  async *listOrganizations() {
    yield { id: organizationId, name: organizationName };
  }

  async *listRepositories() {
    for (const { id, name } of demoRepositories)
      yield {
        id,
        name,
        fullName: `${organizationName}/${name}`,
        isPrivate: false,
        isArchived: false,
        readers: 'members' as const,
      };
  }

  async *listMembers() {
    for (const { id, username, email } of demoPeople)
      yield { id, username, email, isBot: false, isOwner: false };
  }

  async *listTeams() {
    for (const { id, name } of demoTeams)
      yield { id, name, members: demoPeople.filter(({ team }) => team === name) };
  }

  readPullRequest: Host['readPullRequest'] = async (repository, number) =>
    this.#find(repository, number)?.pull ?? null;

  readApprovals: Host['readApprovals'] = async (repository, number) =>
    this.#find(repository, number)?.approvals ?? [];

  async hasIssue() {
    return true;
  }

  async listLinkedIssues() {
    return [];
  }

  async *listChanged() {}

  async *listOpen() {}

  async *listReviewComments() {}

  async registerWebhook() {
    return { isRegistered: true, instructions: null };
  }

  async removeWebhook() {}

  async check() {
    return [{ name: 'demo', ok: true, message: 'This host is part of the demo.' }];
  }

  async readClock() {
    return new Date();
  }

  cloneSource: Host['cloneSource'] = async ({ fullName }, number) => ({
    url: `${this.#gitUrl}/${fullName.split('/').at(-1)}.git`,
    authorization: null,
    headRef: `refs/pull/${number}/head`,
  });

  readThreads: Host['readThreads'] = async (repository, number) =>
    this.#find(repository, number)?.threads ?? [];

  listConversation: Host['listConversation'] = (repository, number) => {
    const comments = this.#find(repository, number)?.conversation ?? [];
    return (async function* () {
      yield* comments;
    })();
  };

  suggestionBlock(replacement: string): string {
    return `\`\`\`suggestion\n${replacement}\n\`\`\``;
  }

  publishReview: Host['publishReview'] = async (repository, number, { comments, headSha }) => {
    const shown = this.#find(repository, number);
    const posted = comments.map(({ key, path, side, last, body }) => {
      const comment = this.#comment(repository, number, body);
      const line = side === 'new' ? last.newLine : last.oldLine;
      const begun = { revision: headSha, startLine: line, line };
      const thread = { id: comment.id, path, side, line, begun, isResolved: false, resolvedBy: null };
      shown?.threads.push({ ...thread, comments: [comment] });
      return { key, commentId: comment.id, threadId: comment.id, url: comment.url };
    });
    return { posted, refused: [] };
  };

  writeComment: Host['writeComment'] = async (repository, number, body) => {
    const comment = this.#comment(repository, number, body);
    this.#find(repository, number)?.conversation.push(comment);
    return comment;
  };

  editComment: Host['editComment'] = async (repository, number, id, body) => {
    const conversation = this.#find(repository, number)?.conversation ?? [];
    const index = conversation.findIndex((comment) => comment.id === id);
    if (index === -1) return null;
    const comment = { ...conversation[index]!, body };
    conversation.splice(index, 1, comment);
    return comment;
  };

  reply: Host['reply'] = async (repository, number, thread, body) => {
    const comment = this.#comment(repository, number, body);
    this.#change(repository, number, thread, { comments: [...thread.comments, comment] });
    return comment;
  };

  resolve: Host['resolve'] = async (repository, number, thread) => {
    this.#change(repository, number, thread, { isResolved: true });
    return true;
  };

  #change(repository: { readonly id: string }, number: number, { id }: HostThread, to: Partial<HostThread>) {
    const threads = this.#find(repository, number)?.threads ?? [];
    const index = threads.findIndex((thread) => thread.id === id);
    if (index !== -1) threads.splice(index, 1, { ...threads[index]!, ...to });
  }

  async setStatus() {}

  async mayPush() {
    return true;
  }

  async isProtected() {
    return false;
  }

  commitAddress({ username }: { readonly username: string }): string {
    return `${username}@northwind.test`;
  }
}

/** The open hosts of the server: always the demo's host, so that no other one is ever called, whatever is connected. */
export class OnlyHost extends Map implements Map<string, Host> {
  readonly #host: Host;

  constructor(host: Host) {
    super();
    this.#host = host;
  }

  override get(): Host {
    return this.#host;
  }
}

export type OpenHosts = HostDeps['openHosts'];
