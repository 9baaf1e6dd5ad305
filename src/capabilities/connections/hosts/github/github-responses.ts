/** The parts of responses from GitHub that are read. */
export interface GitHubUser {
  readonly id: number;
  readonly login: string;
  readonly type?: string;
}

export interface GitHubRepository {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly private: boolean;
  readonly visibility?: string;
  readonly archived: boolean;
  readonly disabled?: boolean;
  readonly owner: GitHubUser;
  readonly permissions?: { readonly pull?: boolean; readonly push?: boolean };
}

export interface GitHubPullRequest {
  readonly number: number;
  readonly html_url: string;
  readonly state: 'open' | 'closed';
  readonly draft?: boolean;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly { readonly name: string }[];
  readonly user: GitHubUser | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly merged_at: string | null;
  readonly closed_at: string | null;
  readonly requested_reviewers?: readonly GitHubUser[] | null;
  readonly requested_teams?: readonly { readonly id: number }[] | null;
  readonly additions?: number;
  readonly deletions?: number;
  readonly changed_files?: number;
  readonly head: {
    readonly sha: string;
    readonly ref: string;
    readonly repo: { readonly id: number } | null;
  };
  readonly base: { readonly sha: string; readonly ref: string; readonly repo: { readonly id: number } };
}

/** One thing that happened to a pull request; which fields it has depends on `event`. */
export interface GitHubTimelineEntry {
  readonly event?: string;
  readonly created_at?: string;
  readonly submitted_at?: string;
  readonly commit_id?: string;
  readonly state?: string;
  readonly user?: GitHubUser | null;
  readonly actor?: GitHubUser | null;
  readonly committer?: { readonly date?: string } | null;
  readonly parents?: readonly object[];
  readonly comments?: readonly { readonly user: GitHubUser | null; readonly created_at: string }[];
}

export interface GitHubReview {
  readonly id: number;
  readonly body?: string | null;
  readonly user: GitHubUser | null;
  readonly state: string;
}

export interface GitHubReviewComment {
  readonly id: number;
  readonly html_url: string;
  readonly user: GitHubUser | null;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at?: string;
}

export interface GitHubBranch {
  readonly protected: boolean;
  /** Not enabled where only rulesets protect the branch. */
  readonly protection?: { readonly enabled?: boolean };
}

export interface GitHubHook {
  readonly id: number;
  readonly active: boolean;
  readonly config: { readonly url?: string };
}

export interface GitHubInstallation {
  readonly id: number;
  readonly account: GitHubUser | null;
  readonly permissions: Readonly<Record<string, string>>;
}
