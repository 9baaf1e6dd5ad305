import type { Outbound } from '../../../outbound/outbound.ts';
import type { HostReviewComment, RepositoryRef, ReviewHost } from './review-host.ts';
import type { WriteBudget, WriteLimits } from './writing/write-limits.ts';

/** The supported hosts; `gitea` includes Forgejo. */
export type HostProvider = 'github' | 'gitlab' | 'gitea';

/** Who Postil is at the host. */
export interface HostAccount {
  readonly id: string;
  readonly username: string;
}

/**
 * Whether somebody at a host is one of these accounts. Compared by id, since user names can be reassigned. A GitHub App has
 * a different id as the author of its texts, so it is compared by name, ignoring case as the host does.
 */
export function isAccount(accounts: readonly HostAccount[], { id, username }: HostAccount): boolean {
  return accounts.some((account) =>
    account.id.startsWith('app:')
      ? account.username.toLowerCase() === username.toLowerCase()
      : account.id === id,
  );
}

export interface HostOrganization {
  readonly id: string;
  /** The name in the host's URLs: a login, or the full path of a group. */
  readonly name: string;
}

export interface HostRepository {
  readonly id: string;
  readonly name: string;
  /** The name with its owner, as in the host's URLs. */
  readonly fullName: string;
  readonly isPrivate: boolean;
  /** Archived or disabled: nothing changes in it any more. */
  readonly isArchived: boolean;
  /** Who can read it: every member of the organization, or only these accounts. */
  readonly readers: 'members' | readonly string[];
}

export interface HostMember {
  readonly id: string;
  readonly username: string;
  /** Null if the host does not reveal it. */
  readonly email: string | null;
  readonly isBot: boolean;
  /** Administers the organization at the host. */
  readonly isOwner: boolean;
}

/** A team at the host, with everybody who is in it or in a team below it. */
export interface HostTeam {
  readonly id: string;
  readonly name: string;
  readonly members: readonly Pick<HostMember, 'id' | 'username'>[];
}

/** The complete current state of one pull request at the host. */
export interface HostPullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly isDraft: boolean;
  readonly title: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly author: { readonly id: string; readonly username: string; readonly isBot: boolean } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly readyForReviewAt: Date | null;
  /** The first review or comment by a person other than the author. */
  readonly firstHumanReviewAt: Date | null;
  /** The newest commit that is not a merge. */
  readonly lastCommitAt: Date | null;
  readonly mergedAt: Date | null;
  readonly closedAt: Date | null;
  /** How often it was reviewed after new commits; null if the host does not report it. */
  readonly reviewIterations: number | null;
  /** Requested reviewers who have not reviewed yet: ids of accounts and of teams. */
  readonly asked: { readonly users: readonly string[]; readonly teams: readonly string[] };
  /** The ids of accounts that have reviewed it; at GitLab, those that approve it. */
  readonly reviewedBy: readonly string[];
  /** How much it changes; null where the host does not count. */
  readonly size: {
    readonly added: number | null;
    readonly removed: number | null;
    readonly files: number | null;
  };
  readonly head: { readonly sha: string; readonly ref: string; readonly isFork: boolean };
  readonly base: { readonly sha: string; readonly ref: string };
}

/** An issue that a host calls linked to a pull request. */
export interface LinkedIssue {
  /** For people. */
  readonly reference: string;
  /** Of the repository of the pull request itself. */
  readonly isHere: boolean;
}

/** Somebody who approved a pull request, and whose approval the host still counts. */
export interface HostApproval {
  readonly id: string;
  readonly username: string;
}

/** A pull request as a list of the host has it. */
export interface ListedPullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  readonly updatedAt: Date;
  /** When it was merged or closed; null while it is open. */
  readonly endedAt: Date | null;
}

/** What a webhook delivery is about: it says where to look, and its contents are never trusted. */
export type DeliveryHint =
  | { readonly kind: 'pull_request'; readonly repositoryId: string; readonly number: number }
  /** Repositories, members or the organization itself changed and must be read again. */
  | { readonly kind: 'inventory' }
  | { readonly kind: 'ignored'; readonly reason: string };

/** One webhook request as received. */
export interface RawDelivery {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** One line of a connection's check. */
export interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

/** What a host can tell about an account's rights; some matter only if Postil writes to pull requests. */
export interface RightsCheck extends HostCheck {
  readonly isForReviews?: boolean;
}

/** Whether the webhook is registered, and what to do if the account is not allowed to register it. */
export interface WebhookRegistration {
  readonly isRegistered: boolean;
  /** What a person has to do at the host if it is not registered. */
  readonly instructions: string | null;
}

/** The host refuses: wrong or revoked credentials, or a missing permission. The message is the host's reason, without secrets. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The host is unavailable, sends an invalid response, or asks to wait. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
  /** Null if the host did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A Git host as seen by one account of Postil. Lists are read page by page as they are consumed. Calls throw HostRefused or
 * HostUnavailable; they return null for what does not exist (any more).
 */
export interface Host extends ReviewHost {
  describeAccount(): Promise<HostAccount>;
  listOrganizations(): AsyncIterable<HostOrganization>;
  listRepositories(organization: HostOrganization): AsyncIterable<HostRepository>;
  listMembers(organization: HostOrganization): AsyncIterable<HostMember>;
  /** Refused if the account is not allowed to see teams. */
  listTeams(organization: HostOrganization): AsyncIterable<HostTeam>;
  /** Reviews by the `own` accounts, with which Postil posts, do not count as reviews by people. */
  readPullRequest(
    repository: RepositoryRef,
    number: number,
    own: readonly HostAccount[],
  ): Promise<HostPullRequest | null>;
  /**
   * Who approves the pull request in its current state, without approvals that were dismissed, withdrawn, or are outdated
   * for the host.
   */
  readApprovals(repository: RepositoryRef, number: number): Promise<readonly HostApproval[]>;
  /** Whether there is such an issue; a pull request does not count. `fullName` is the repository's name with its owner. */
  hasIssue(fullName: string, number: number): Promise<boolean>;
  /**
   * Issues that the host itself links to a pull request, even if its text does not name them; empty for hosts without such
   * links.
   */
  listLinkedIssues(repository: RepositoryRef, number: number): Promise<readonly LinkedIssue[]>;
  /** Pull requests changed since then, latest change first. */
  listChanged(repository: RepositoryRef, since: Date): AsyncIterable<ListedPullRequest>;
  /** The open pull requests, latest change first; one that changes while the list is read can occur twice. */
  listOpen(repository: RepositoryRef): AsyncIterable<ListedPullRequest>;
  listReviewComments(repository: RepositoryRef, number: number): AsyncIterable<HostReviewComment>;
  /** Ensures that the organization's webhook calls `url` with this secret. */
  registerWebhook(organization: HostOrganization, url: string, secret: string): Promise<WebhookRegistration>;
  removeWebhook(organization: HostOrganization, url: string): Promise<void>;
  /** Checks permissions and the webhook in one organization. */
  check(organization: HostOrganization, webhookUrl: string): Promise<readonly RightsCheck[]>;
  /** The host's clock. */
  readClock(): Promise<Date>;
}

export interface TokenCredentials {
  readonly token: string;
}

export interface AppCredentials {
  readonly app_id: string;
  readonly private_key: string;
  readonly installation_id?: string | undefined;
}

export type HostCredentials = TokenCredentials | AppCredentials;

/** What a browser sends to a host to create an app there. */
export interface AppForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** How an app is created at a host without copying its credentials by hand. */
export interface AppCreation {
  formOf(app: {
    readonly url: string;
    /** Who will own the app; null means the person's own account. */
    readonly organization: string | null;
    readonly homeUrl: string;
    readonly hookUrl: string;
    readonly callbackUrl: string;
    /** Where people land once they have installed it. */
    readonly setupUrl: string;
    readonly state: string;
  }): AppForm;
  /** Exchanges the one-time code from the host for the app's credentials. */
  redeem(given: { readonly url: string; readonly code: string; readonly outbound: Outbound }): Promise<{
    readonly credentials: AppCredentials;
    readonly webhookSecret: string;
    readonly installUrl: string;
  }>;
}

/** How a kind of host signs and writes its webhook deliveries. */
export interface DeliveryFormat {
  /** Whether these headers contain a signature; a request without one is rejected before its body is read. */
  hasSignature(headers: RawDelivery['headers']): boolean;
  /** Checks the signature over the raw bytes, in constant time, against any of the secrets. */
  verify(delivery: RawDelivery, secrets: readonly string[]): Promise<boolean>;
  /** The id under which the host sends a delivery again, and the name of the event. */
  identify(delivery: RawDelivery): { readonly deliveryId: string; readonly event: string };
  /** Where to look for what changed; a body that cannot be understood is ignored, with the reason. */
  hintOf(delivery: RawDelivery): DeliveryHint;
}

/** What is known about a kind of host without being connected to it. */
export interface HostKind extends DeliveryFormat {
  readonly provider: HostProvider;
  /** The URL of the public cloud, if there is one. */
  readonly cloudUrl: string | null;
  /** The URL of the API of the host at this URL; nothing else is called with its credentials. */
  apiUrl(url: string): string;
  /** What the host lets an account write; null if it sets no limit. */
  readonly writeLimits: WriteLimits | null;
  /** Whether an app can be connected instead of a token. */
  readonly supportsApps: boolean;
  /** How to create such an app; null if apps are not supported. */
  readonly appCreation: AppCreation | null;
  /** Loads what is needed to call such a host, which an installation without connections never needs. */
  connect(connection: {
    readonly url: string;
    readonly credentials: HostCredentials;
    readonly outbound: Outbound;
    /** What the account may write; without it, nothing is counted. */
    readonly writes?: WriteBudget | undefined;
  }): Promise<Host>;
}
