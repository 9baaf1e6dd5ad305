/** The parts of responses from Gitea and Forgejo that are read. */
export interface GiteaUser {
  readonly id: number;
  readonly login: string;
  readonly email?: string;
}

export interface GiteaOrganization {
  readonly id: number;
  readonly name?: string;
  readonly username?: string;
}

export interface GiteaRepository {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly permissions?: { readonly admin: boolean; readonly push: boolean; readonly pull: boolean };
}

export interface GiteaTeam {
  readonly id: number;
  readonly name: string;
  readonly permission: string;
  readonly includes_all_repositories: boolean;
  readonly units?: readonly string[];
  /** What the team may do in each unit. */
  readonly units_map?: Readonly<Record<string, string>>;
}

export interface GiteaPullRequest {
  readonly number: number;
  readonly html_url: string;
  readonly state: 'open' | 'closed';
  readonly draft?: boolean;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly { readonly name: string }[] | null;
  readonly user: GiteaUser | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly merged: boolean;
  readonly merged_at: string | null;
  readonly closed_at: string | null;
  /** These and the counts are missing in what older versions send. */
  readonly requested_reviewers?: readonly (GiteaUser | null)[] | null;
  readonly requested_reviewers_teams?: readonly { readonly id: number }[] | null;
  readonly additions?: number | null;
  readonly deletions?: number | null;
  readonly changed_files?: number | null;
  readonly head: { readonly sha: string; readonly ref: string; readonly repo_id: number };
  readonly base: { readonly sha: string; readonly ref: string; readonly repo_id: number };
  /** Where it branches off. */
  readonly merge_base?: string | null;
}

export interface GiteaReview {
  readonly id: number;
  readonly user: GiteaUser | null;
  readonly state: string;
  readonly submitted_at: string;
  readonly commit_id: string;
  readonly comments_count: number;
  readonly dismissed?: boolean;
  /** Whether commits were pushed after the review. */
  readonly stale?: boolean;
}

export interface GiteaComment {
  readonly id: number;
  readonly html_url: string;
  readonly user: GiteaUser | null;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at?: string;
  /** Of comments on lines; a position is the number of a line, and 0 on the side that it is not about. */
  readonly path?: string;
  readonly commit_id?: string;
  readonly position?: number;
  readonly original_position?: number;
  readonly resolver?: GiteaUser | null;
}

export interface GiteaCommit {
  readonly parents: readonly object[] | null;
  readonly commit: { readonly committer: { readonly date: string } };
}

export interface GiteaTimelineEntry {
  readonly type: string;
  readonly created_at: string;
  readonly old_title?: string;
  readonly new_title?: string;
}

export interface GiteaHook {
  readonly id: number;
  readonly active: boolean;
  readonly config: { readonly url?: string };
  readonly events: readonly string[];
}
