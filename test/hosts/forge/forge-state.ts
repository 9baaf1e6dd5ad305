import type {
  ForgeChange,
  ForgeComment,
  ForgeCommit,
  ForgeLineComment,
  ForgeOrganization,
  ForgePlace,
  ForgePull,
  ForgeRepository,
  ForgeReview,
  ForgeStatus,
  ForgeTeam,
  ForgeUser,
} from './forge-data.ts';

/** The place of comments in tests where it does not matter. */
const unplaced: ForgePlace = { path: 'a.ts', side: 'new', startLine: 1, line: 1 };

/** A forge's data and the actions of people on it; every action advances the time by a minute and is reported to `onChange`. */
export class ForgeState {
  now = new Date('2026-06-10T08:00:00Z');
  readonly users = new Map<string, ForgeUser>();
  readonly organizations: ForgeOrganization[] = [];
  readonly repositories: ForgeRepository[] = [];
  onChange: (change: ForgeChange) => void = () => {};
  readonly #usersById = new Map<number, ForgeUser>();
  #lastId = 100;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  addUser(login: string, more: Partial<ForgeUser> = {}): ForgeUser {
    const user = { id: this.nextId(), login, email: `${login}@people.test`, isBot: false, ...more };
    this.users.set(login, user);
    this.#usersById.set(user.id, user);
    return user;
  }

  userById(id: number): ForgeUser {
    return this.#usersById.get(id)!;
  }

  addOrganization(name: string, owner: ForgeUser, ...members: ForgeUser[]): ForgeOrganization {
    const organization: ForgeOrganization = {
      id: this.nextId(),
      name,
      owners: new Set([owner.id]),
      members: new Set([owner, ...members].map(({ id }) => id)),
      hooks: [],
      teams: [],
    };
    this.organizations.push(organization);
    return organization;
  }

  addTeam({ teams }: ForgeOrganization, name: string, members: readonly ForgeUser[], parent?: ForgeTeam) {
    const ids = new Set(members.map(({ id }) => id));
    const team: ForgeTeam = { id: this.nextId(), name, parent: parent ?? null, members: ids };
    teams.push(team);
    return team;
  }

  addRepository(organization: ForgeOrganization, name: string, more: Partial<ForgeRepository> = {}) {
    const repository: ForgeRepository = {
      id: this.nextId(),
      organization,
      name,
      isPrivate: false,
      isArchived: false,
      readers: new Set<number>(),
      writers: new Set<number>(),
      protectedBranches: new Set<string>(),
      pulls: new Map<number, ForgePull>(),
      issues: new Set<number>(),
      statuses: [],
      ...more,
    };
    this.repositories.push(repository);
    return repository;
  }

  #tick(): Date {
    this.now = new Date(this.now.getTime() + 60_000);
    return this.now;
  }

  #commit(isMerge = false, sha = this.nextId().toString(16).padStart(40, '0')): ForgeCommit {
    return { sha, at: this.now, isMerge };
  }

  open(
    repository: ForgeRepository,
    author: ForgeUser,
    {
      isDraft = false,
      head,
      base = { sha: '0'.repeat(40), ref: 'main' },
      labels = [],
      isFork = false,
    }: {
      isDraft?: boolean;
      head?: string;
      base?: ForgePull['base'];
      labels?: readonly string[];
      isFork?: boolean;
    } = {},
  ): ForgePull {
    const at = this.#tick();
    const pull: ForgePull = {
      number: Math.max(0, ...repository.pulls.keys()) + 1,
      id: this.nextId(),
      repository,
      author,
      createdAt: at,
      title: isDraft ? 'WIP: change' : 'change',
      description: 'a description',
      isDraft,
      isFork,
      base,
      labels,
      asked: { users: [], teams: [] },
      size: { added: 12, removed: 3, files: 2 },
      state: 'open',
      updatedAt: at,
      readyAt: isDraft ? null : at,
      closedAt: null,
      commits: [this.#commit(false, head)],
      comments: [],
      reviews: [],
      drafts: [],
      diff: '',
    };
    repository.pulls.set(pull.number, pull);
    this.onChange({ kind: 'opened', pull, by: author });
    return pull;
  }

  edit(pull: ForgePull, changes: Partial<Pick<ForgePull, 'title' | 'description' | 'labels'>>): void {
    Object.assign(pull, changes);
    this.#touch(pull);
    this.onChange({ kind: 'edited', pull, by: pull.author });
  }

  /** Asks for reviews. */
  ask(pull: ForgePull, users: readonly ForgeUser[], teams: readonly ForgeTeam[] = []): void {
    pull.asked = { users, teams };
    this.#touch(pull);
    this.onChange({ kind: 'edited', pull, by: pull.author });
  }

  /** The rights of a user in a repository. */
  rightOf(
    { organization, writers }: ForgeRepository,
    user: Pick<ForgeUser, 'id'>,
  ): 'owner' | 'write' | 'read' | 'none' {
    if (organization.owners.has(user.id)) return 'owner';
    if (writers.has(user.id)) return 'write';
    return organization.members.has(user.id) ? 'read' : 'none';
  }

  markReady(pull: ForgePull): void {
    pull.readyAt = this.#touch(pull);
    pull.isDraft = false;
    pull.title = 'change';
    this.onChange({ kind: 'ready', pull, by: pull.author });
  }

  push(pull: ForgePull, { isMerge = false, head }: { isMerge?: boolean; head?: string } = {}): void {
    this.#touch(pull);
    pull.commits.push(this.#commit(isMerge, head));
    this.onChange({ kind: 'pushed', pull, by: pull.author });
  }

  comment(pull: ForgePull, user: ForgeUser, body = 'a comment'): ForgeComment {
    const comment = { id: this.nextId(), user, body, at: this.#touch(pull) };
    pull.comments.push(comment);
    this.onChange({ kind: 'commented', pull, by: user, comment });
    return comment;
  }

  /** Edits a comment, as users with write access to the repository can. */
  editComment(pull: ForgePull, comment: ForgeComment, body: string): void {
    comment.body = body;
    comment.editedAt = this.#touch(pull);
    this.onChange({ kind: 'commented', pull, by: comment.user, comment });
  }

  /** Adds a review that is not submitted yet and not reported to webhooks. */
  draft(
    pull: ForgePull,
    user: ForgeUser,
    body: string,
    comments: readonly { readonly body: string; readonly place?: ForgePlace }[],
    commit = pull.commits.at(-1)!.sha,
  ): ForgeReview {
    const at = this.now;
    const review: ForgeReview = { id: this.nextId(), user, body, at, state: 'pending', commit, comments: [] };
    for (const comment of comments) this.#place(review, comment.body, comment.place);
    pull.drafts.push(review);
    return review;
  }

  #place(review: ForgeReview, body: string, place: ForgePlace = unplaced): ForgeLineComment {
    const id = this.nextId();
    const { user, at, commit } = review;
    const comment = { id, user, body, at, place, commit, thread: id, resolver: null };
    review.comments.push(comment);
    return comment;
  }

  /** Submits a draft. */
  submit(pull: ForgePull, draft: ForgeReview, state: ForgeReview['state'] = 'commented'): ForgeReview {
    pull.drafts.splice(pull.drafts.indexOf(draft), 1);
    const review = { ...draft, state, at: this.#touch(pull) };
    pull.asked = { ...pull.asked, users: pull.asked.users.filter((user) => user !== draft.user) };
    for (const comment of review.comments) comment.at = review.at;
    pull.reviews.push(review);
    this.onChange({ kind: 'reviewed', pull, by: review.user, review });
    return review;
  }

  review(
    pull: ForgePull,
    user: ForgeUser,
    { state = 'commented' as ForgeReview['state'], comments = [] as string[], place = unplaced } = {},
  ): ForgeReview {
    const said = comments.map((body) => ({ body, place }));
    return this.submit(pull, this.draft(pull, user, 'a review', said), state);
  }

  lineComments(pull: ForgePull): ForgeLineComment[] {
    return pull.reviews.flatMap(({ comments }) => comments);
  }

  /** The threads of a pull request, each with its comments in order. */
  threads(pull: ForgePull): ForgeLineComment[][] {
    const byThread = Map.groupBy(this.lineComments(pull), ({ thread }) => thread);
    return [...byThread.values()].map((comments) => comments.sort((a, b) => a.id - b.id));
  }

  /** Adds an answer to a thread, as a separate review. */
  answer(pull: ForgePull, user: ForgeUser, root: ForgeLineComment, body: string): ForgeLineComment {
    const draft = this.draft(pull, user, '', [], root.commit);
    const comment = { ...this.#place(draft, body, root.place), thread: root.id };
    draft.comments.splice(0, 1, comment);
    this.submit(pull, draft);
    return comment;
  }

  setStatus(repository: ForgeRepository, status: Omit<ForgeStatus, 'id'>): ForgeStatus {
    const set = { id: this.nextId(), ...status };
    repository.statuses.push(set);
    return set;
  }

  end(pull: ForgePull, state: 'merged' | 'closed', by: ForgeUser = pull.author): void {
    pull.closedAt = this.#touch(pull);
    pull.state = state;
    this.onChange({ kind: state, pull, by });
  }

  reopen(pull: ForgePull): void {
    this.#touch(pull);
    pull.state = 'open';
    pull.closedAt = null;
    this.onChange({ kind: 'reopened', pull, by: pull.author });
  }

  #touch(pull: ForgePull): Date {
    const at = this.#tick();
    pull.updatedAt = at;
    return at;
  }

  organizationNamed(name: string | undefined): ForgeOrganization | undefined {
    return this.organizations.find((one) => one.name.toLowerCase() === name?.toLowerCase());
  }

  repositoryNamed(owner: string | undefined, name: string | undefined): ForgeRepository | undefined {
    return this.repositories.find((one) => one.organization.name === owner && one.name === name);
  }
}
