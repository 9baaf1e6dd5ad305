import type { Outbound } from '../../../outbound/outbound.ts';

/** The hosts that a connection can be made to; `gitea` stands for Forgejo too. */
export type HostProvider = 'github' | 'gitlab' | 'gitea';

/** Who Postil is at the host. */
export interface HostAccount {
  readonly id: string;
  readonly username: string;
}

export interface HostOrganization {
  readonly id: string;
  /** The name by which the host's own addresses call it: a login, or the full path of a group. */
  readonly name: string;
}

export interface HostRepository {
  readonly id: string;
  readonly name: string;
  /** The name with its owner, by which the host's own addresses call it. */
  readonly fullName: string;
  readonly isPrivate: boolean;
  /** Archived or switched off: nothing happens in it any more. */
  readonly isArchived: boolean;
  /** Who can read it: every member of the organization, or only these accounts. */
  readonly readers: 'members' | readonly string[];
}

export interface HostMember {
  readonly id: string;
  readonly username: string;
  /** Null where the host does not give it. */
  readonly email: string | null;
  readonly isBot: boolean;
  /** Administers the organization at the host. */
  readonly isOwner: boolean;
}

/** How a repository is named in calls to the host. */
export interface RepositoryRef {
  readonly id: string;
  readonly fullName: string;
}

/** The whole state of one pull request, as the host gives it now. */
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
  /** The first review or comment by somebody who is neither the author nor a bot. */
  readonly firstHumanReviewAt: Date | null;
  /** The newest commit that is no merge. */
  readonly lastCommitAt: Date | null;
  readonly mergedAt: Date | null;
  readonly closedAt: Date | null;
  /** How often it was reviewed after new commits; null where the host does not tell. */
  readonly reviewIterations: number | null;
  readonly head: { readonly sha: string; readonly ref: string; readonly isFork: boolean };
  readonly base: { readonly sha: string; readonly ref: string };
}

/** A pull request that changed, as lists of the host show it. */
export interface ChangedPullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
  readonly updatedAt: Date;
  /** When it was merged or closed; null while it is open. */
  readonly endedAt: Date | null;
}

/** A comment of a review on a line or a file. */
export interface HostReviewComment {
  readonly id: string;
  readonly url: string;
  readonly author: { readonly id: string; readonly username: string; readonly isBot: boolean } | null;
  readonly body: string;
  readonly createdAt: Date;
}

/** What a webhook delivery says happened: only where to look, never what to believe. */
export type DeliveryHint =
  | { readonly kind: 'pull_request'; readonly repositoryId: string; readonly number: number }
  /** Repositories, members or the organization itself changed: they are to be read anew. */
  | { readonly kind: 'inventory' }
  | { readonly kind: 'ignored'; readonly reason: string };

/** One webhook request as it came. */
export interface RawDelivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** One line of a connection's check. */
export interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

/** How to have a webhook, where the account may not register it itself. */
export interface WebhookRegistration {
  readonly isRegistered: boolean;
  /** What a person has to do at the host, when it is not registered. */
  readonly instructions: string | null;
}

/** The host refuses: wrong or revoked credentials, or a right that is missing. The message is the host's reason, without secrets. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The host is away, answers nonsense, or asks to wait. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
  /** When the host said so. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A Git host with one account of Postil on it. Lists are read page by page as they are consumed. Calls throw HostRefused or
 * HostUnavailable; what does not exist (any more) is null.
 */
export interface Host {
  describeAccount(): Promise<HostAccount>;
  listOrganizations(): AsyncIterable<HostOrganization>;
  listRepositories(organization: HostOrganization): AsyncIterable<HostRepository>;
  listMembers(organization: HostOrganization): AsyncIterable<HostMember>;
  readPullRequest(repository: RepositoryRef, number: number): Promise<HostPullRequest | null>;
  /** Pull requests changed since then, the newest change first. */
  listChanged(repository: RepositoryRef, since: Date): AsyncIterable<ChangedPullRequest>;
  listReviewComments(repository: RepositoryRef, number: number): AsyncIterable<HostReviewComment>;
  /** Makes sure that the organization's webhook calls `url` with this secret. */
  registerWebhook(organization: HostOrganization, url: string, secret: string): Promise<WebhookRegistration>;
  removeWebhook(organization: HostOrganization, url: string): Promise<void>;
  /** Rights and registration in one organization. */
  check(organization: HostOrganization, webhookUrl: string): Promise<readonly HostCheck[]>;
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
    /** Who will own the app; null: the person's own account. */
    readonly organization: string | null;
    readonly homeUrl: string;
    readonly hookUrl: string;
    readonly callbackUrl: string;
    /** Where people land once they have installed it. */
    readonly setupUrl: string;
    readonly state: string;
  }): AppForm;
  /** Exchanges the code that the host hands back, once, for the app's credentials. */
  redeem(given: { readonly url: string; readonly code: string; readonly outbound: Outbound }): Promise<{
    readonly credentials: AppCredentials;
    readonly webhookSecret: string;
    readonly installUrl: string;
  }>;
}

/** How a kind of host signs and writes its webhook deliveries. */
export interface DeliveryFormat {
  /** Checks the signature over the raw bytes, in constant time, against any of the secrets. */
  verify(delivery: RawDelivery, secrets: readonly string[]): Promise<boolean>;
  /** The id under which the host sends a delivery again, and the name of the event. */
  identify(delivery: RawDelivery): { readonly deliveryId: string; readonly event: string };
  /** Where to look; a body that makes no sense is ignored, with the reason. */
  hintOf(delivery: RawDelivery): DeliveryHint;
}

/** What is known about a kind of host without being connected to it. */
export interface HostKind extends DeliveryFormat {
  readonly provider: HostProvider;
  /** The address of the public cloud, if there is one. */
  readonly cloudUrl: string | null;
  /** Whether an app can be connected in place of a token. */
  readonly takesApps: boolean;
  /** How to create such an app; null where there are none. */
  readonly appCreation: AppCreation | null;
  connect(connection: {
    readonly url: string;
    readonly credentials: HostCredentials;
    readonly outbound: Outbound;
  }): Host;
}
