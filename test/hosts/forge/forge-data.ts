/** The data of a Git host of any kind: each double presents it in its host's format. */
export interface ForgeUser {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly isBot: boolean;
}

export interface ForgeHook {
  readonly id: number;
  url: string;
  secret: string;
  events: readonly string[];
  active: boolean;
}

export interface ForgeTeam {
  readonly id: number;
  name: string;
  readonly parent: ForgeTeam | null;
  /** The direct members, without those of subteams. */
  readonly members: Set<number>;
}

export interface ForgeOrganization {
  readonly id: number;
  readonly name: string;
  readonly owners: Set<number>;
  /** The members, including owners. */
  readonly members: Set<number>;
  readonly hooks: ForgeHook[];
  readonly teams: ForgeTeam[];
}

export interface ForgeComment {
  readonly id: number;
  readonly user: ForgeUser;
  body: string;
  at: Date;
  /** When its text was last edited. */
  editedAt?: Date;
}

/** The place of a comment; hosts never move it after a push. */
export interface ForgePlace {
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly startLine: number;
  readonly line: number;
}

export interface ForgeLineComment extends ForgeComment {
  readonly place: ForgePlace;
  readonly commit: string;
  /** The id of the first comment in the thread, which may be this one. */
  readonly thread: number;
  /** The user who resolved the thread; null if it is open. Only set in its first comment. */
  resolver: ForgeUser | null;
}

export interface ForgeReview extends ForgeComment {
  readonly state: 'approved' | 'changes_requested' | 'commented' | 'pending';
  /** Whether somebody has dismissed it, or the host has after a push. */
  isDismissed?: boolean;
  readonly commit: string;
  readonly comments: ForgeLineComment[];
}

/** A status of a commit; a check run if it has the id of an app. */
export interface ForgeStatus {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  state: string;
  title: string;
  url: string | null;
}

/** Pull requests in the order of hosts' lists: the most recently updated first. */
export function newestPulls(pulls: Iterable<ForgePull>, isOpenOnly: boolean): ForgePull[] {
  return [...pulls]
    .filter(({ state }) => !isOpenOnly || state === 'open')
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
}

export interface ForgeCommit {
  readonly sha: string;
  readonly at: Date;
  readonly isMerge: boolean;
}

export interface ForgePull {
  readonly number: number;
  readonly id: number;
  readonly repository: ForgeRepository;
  readonly author: ForgeUser;
  readonly createdAt: Date;
  title: string;
  description: string;
  isDraft: boolean;
  /** Whether its branch is in another repository. */
  readonly isFork: boolean;
  readonly base: { readonly sha: string; readonly ref: string };
  labels: readonly string[];
  /** Issues that were linked to it manually, not by its text. */
  linked?: readonly number[];
  /** The users and teams whose review was requested; a user who has reviewed is no longer in it. */
  asked: { users: readonly ForgeUser[]; teams: readonly ForgeTeam[] };
  readonly size: { readonly added: number; readonly removed: number; readonly files: number };
  state: 'open' | 'merged' | 'closed';
  updatedAt: Date;
  readyAt: Date | null;
  closedAt: Date | null;
  readonly commits: ForgeCommit[];
  readonly comments: ForgeComment[];
  readonly reviews: ForgeReview[];
  /** Reviews that are not submitted yet; only their authors see them. */
  readonly drafts: ForgeReview[];
  /** The unified diff from base to head, on whose lines comments are possible; empty: no line comments. */
  diff: string;
}

export interface ForgeRepository {
  readonly id: number;
  readonly organization: ForgeOrganization;
  name: string;
  isPrivate: boolean;
  isArchived: boolean;
  /** Who can read it besides the organization's owners, if it is private. */
  readonly readers: Set<number>;
  /** Who may push to it besides the organization's owners. */
  readonly writers: Set<number>;
  /** Protected branches, to which not all writers may push. */
  readonly protectedBranches: Set<string>;
  readonly pulls: Map<number, ForgePull>;
  /** The numbers of issues that are not pull requests. */
  readonly issues: Set<number>;
  /** A bare repository, served over HTTP; undefined if its commits are made up. */
  readonly folder?: string;
  /** The statuses, oldest first. */
  readonly statuses: ForgeStatus[];
}

/** A change that the host reports to its webhooks. */
export interface ForgeChange {
  readonly kind:
    | 'opened'
    | 'edited'
    | 'pushed'
    | 'commented'
    | 'reviewed'
    | 'closed'
    | 'merged'
    | 'reopened'
    | 'ready';
  readonly pull: ForgePull;
  readonly by: ForgeUser;
  readonly review?: ForgeReview;
  readonly comment?: ForgeComment;
}
