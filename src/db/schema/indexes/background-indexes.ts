/**
 * An index that is built while the tables are in use, because building it in a migration would block writers for as long
 * as it takes. One name always means one definition: to change an index, add it under a new name and drop the former one
 * in a migration.
 */
export interface BackgroundIndex {
  readonly name: string;
  /** The table. If it is partitioned, each partition gets the index, including later ones. */
  readonly table: string;
  /** The rest of CREATE INDEX after the table, such as `USING gin (words)` or `(a, b) INCLUDE (c) WHERE a IS NOT NULL`. */
  readonly definition: string;
}

/** The indexes beyond those of the migrations. Code that needs one checks first whether it is ready (ADR 0015). */
export const backgroundIndexes = [
  // Pages over many organizations read the rows of all of them in write order (ADR 0019).
  {
    name: 'review_metrics_scan',
    table: 'review_metrics',
    definition: '(slot_16, write_seq) WHERE write_seq IS NOT NULL',
  },
  {
    name: 'review_metrics_mcp_scan',
    table: 'review_metrics',
    definition: '(slot_16, mcp_seq) WHERE mcp_seq IS NOT NULL',
  },
  // The chart of an overview reads a few numbers per day and organization; the keys of days are below those of longer spans.
  {
    name: 'organization_comment_sums_days',
    table: 'organization_comment_sums',
    definition: '(organization_id, span) INCLUDE (posted, accepted, not_accepted) WHERE span < 4194304',
  },
  // The tokens of a workspace in the order of their list, and the keys of a person in an instance. Not partial: while there are
  // few such keys, PostgreSQL would scan all of them to authenticate one.
  {
    name: 'api_keys_by_workspace',
    table: 'api_keys',
    definition: '(workspace_id, created_at, id)',
  },
  {
    name: 'api_keys_by_instance',
    table: 'api_keys',
    definition: '(instance_id, owner_user_id)',
  },
  // Whether an installation admin exists: queried whenever somebody opens the dashboard without a session.
  {
    name: 'dashboard_accounts_installation_admins',
    table: 'dashboard_accounts',
    definition: '(person_id) WHERE installation_admin',
  },
  // The connections that serve a repository.
  {
    name: 'connection_repositories_by_repository',
    table: 'connection_repositories',
    definition: '(organization_id, repository_id)',
  },
  // The repositories whose history is not completely read yet: queried every minute.
  {
    name: 'connection_repositories_unfinished',
    table: 'connection_repositories',
    definition: `(connection_id) WHERE backfill_state IS NULL OR backfill_state IN ('waiting', 'running')`,
  },
  // The repositories whose open pull requests are not known yet: queried every minute, and by every Inbox.
  {
    name: 'connection_repositories_open_unread',
    table: 'connection_repositories',
    definition: '(organization_id) WHERE open_state IS NULL',
  },
  // Before PostgreSQL deletes a secret, it checks whether a webhook was signed with it recently.
  {
    name: 'former_signing_secrets_by_secret',
    table: 'former_signing_secrets',
    definition: '(secret_id)',
  },
  // The followed findings, newest first; of one reviewer, and in one repository.
  {
    name: 'followed_findings_newest',
    table: 'followed_findings',
    definition: '(organization_id, posted_at DESC, repository_id DESC, pull_request DESC, finding_id DESC)',
  },
  {
    name: 'followed_findings_by_reviewer',
    table: 'followed_findings',
    definition: `(organization_id, lower(coalesce(reviewer, '')), posted_at DESC, repository_id DESC, pull_request DESC, finding_id DESC)`,
  },
  {
    name: 'followed_findings_by_repository',
    table: 'followed_findings',
    definition: '(organization_id, repository_id, posted_at DESC, pull_request DESC, finding_id DESC)',
  },
  // Checks that the queue may have lost: queried every minute.
  {
    name: 'reviewed_pull_requests_checks_due',
    table: 'reviewed_pull_requests',
    definition: '(checks_due_at) WHERE checks_due_at IS NOT NULL',
  },
  {
    name: 'reviewed_pull_requests_questions_due',
    table: 'reviewed_pull_requests',
    definition: '(questions_due_at) WHERE questions_due_at IS NOT NULL',
  },
  // The states of checks on pull requests, newest first; by state, in one repository, and by a failing check.
  {
    name: 'pull_request_checks_by_time',
    table: 'pull_request_checks',
    definition: '(organization_id, evaluated_at DESC, repository_id DESC, number DESC) WHERE is_newest',
  },
  {
    name: 'pull_request_checks_by_state',
    table: 'pull_request_checks',
    definition:
      '(organization_id, state, evaluated_at DESC, repository_id DESC, number DESC) WHERE is_newest',
  },
  {
    name: 'pull_request_checks_by_repository',
    table: 'pull_request_checks',
    definition: '(organization_id, repository_id, evaluated_at DESC, number DESC) WHERE is_newest',
  },
  {
    name: 'check_records_failing',
    table: 'check_records',
    definition:
      '(organization_id, check_name, failing_at DESC, repository_id DESC, number DESC) WHERE failing_at IS NOT NULL',
  },
  {
    name: 'check_overrides_by_check',
    table: 'check_overrides',
    definition: '(organization_id, check_name, created_at, id)',
  },
  {
    name: 'check_overrides_by_repository',
    table: 'check_overrides',
    definition: '(organization_id, repository_id, created_at, id)',
  },
  // The Inbox: open pull requests by age, those of an author, and those whose review was requested from a person or that a person
  // owns.
  {
    name: 'host_pull_requests_open_by_age',
    table: 'host_pull_requests',
    definition: `(organization_id, opened_at, repository_id, number) WHERE state = 'open'`,
  },
  {
    name: 'host_pull_requests_open_by_author',
    table: 'host_pull_requests',
    definition: `(organization_id, author_id, opened_at) WHERE state = 'open'`,
  },
  {
    name: 'host_pull_requests_open_asked',
    table: 'host_pull_requests',
    definition: `USING gin (asked) WHERE state = 'open'`,
  },
  {
    name: 'host_pull_requests_open_owners',
    table: 'host_pull_requests',
    definition: `USING gin (owners) WHERE state = 'open'`,
  },
  // The search reads the newest pull requests.
  {
    name: 'host_pull_requests_newest',
    table: 'host_pull_requests',
    definition: '(organization_id, opened_at)',
  },
  // The comments that cite a Learning, and the Learnings that were merged into another one.
  {
    name: 'review_findings_by_learning',
    table: 'review_findings',
    definition: 'USING gin (learning_ids) WITH (fastupdate = off) WHERE cardinality(learning_ids) > 0',
  },
  {
    name: 'learnings_merged',
    table: 'learnings',
    definition: '(organization_id, merged_into) WHERE merged_into IS NOT NULL',
  },
] as const satisfies readonly BackgroundIndex[];
