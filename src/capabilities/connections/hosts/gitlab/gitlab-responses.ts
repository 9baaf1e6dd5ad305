/** The parts of responses from GitLab that are read. */
export interface GitLabUser {
  readonly id: number;
  readonly username: string;
  readonly bot?: boolean;
}

export interface GitLabMember extends GitLabUser {
  readonly state: string;
  readonly access_level: number;
  readonly email?: string | null;
}

export interface GitLabBranch {
  readonly protected: boolean;
}

export interface GitLabGroup {
  readonly id: number;
  readonly full_path: string;
  readonly parent_id: number | null;
}

export interface GitLabProject {
  readonly id: number;
  readonly path_with_namespace: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly archived: boolean;
}

export interface GitLabMergeRequest {
  readonly iid: number;
  readonly web_url: string;
  readonly state: 'opened' | 'closed' | 'locked' | 'merged';
  readonly draft: boolean;
  readonly title: string;
  readonly description: string | null;
  readonly labels: readonly string[];
  readonly author: GitLabUser | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly merged_at: string | null;
  readonly closed_at: string | null;
  readonly reviewers?: readonly GitLabUser[] | null;
  /** A number, or `1000+`. */
  readonly changes_count?: string | null;
  readonly sha: string | null;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly source_project_id: number | null;
  readonly target_project_id: number;
  readonly diff_refs?: { readonly base_sha: string | null } | null;
}

export interface GitLabIssue {
  readonly id: number | string;
  readonly iid?: number;
  readonly project_id?: number;
  readonly references?: { readonly full?: string };
}

export interface GitLabNote {
  readonly id: number;
  readonly type: string | null;
  readonly system: boolean;
  readonly body: string;
  readonly author: GitLabUser | null;
  readonly created_at: string;
  readonly updated_at?: string;
  readonly resolvable?: boolean;
  readonly resolved?: boolean;
  readonly resolved_by?: GitLabUser | null;
  /** Of notes on lines; older versions do not send them. */
  readonly suggestions?: readonly { readonly applied?: boolean }[] | null;
  readonly position?: {
    readonly old_path?: string | null;
    readonly new_path?: string | null;
    readonly old_line?: number | null;
    readonly new_line?: number | null;
    /** The head commit that the line numbers refer to. */
    readonly head_sha?: string | null;
    readonly position_type?: string | null;
    /** Of a comment on several lines. */
    readonly line_range?: { readonly start?: GitLabLine | null } | null;
  } | null;
}

/** A line of the diff: one number is null on the side that does not have it. */
interface GitLabLine {
  readonly old_line?: number | null;
  readonly new_line?: number | null;
}

export interface GitLabDiscussion {
  readonly id: string;
  readonly notes: readonly GitLabNote[];
}

export interface GitLabDraftNote {
  readonly id: number;
  readonly note: string;
}

export interface GitLabCommit {
  readonly committed_date: string;
  readonly parent_ids?: readonly string[];
}

export interface GitLabVersion {
  readonly base_commit_sha: string;
  readonly start_commit_sha: string;
  readonly head_commit_sha: string;
  readonly created_at: string;
}

export interface GitLabHook {
  readonly id: number;
  readonly url: string;
}
