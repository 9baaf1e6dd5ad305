-- The schema after all migrations, written by `npm run generate`.

create sequence write_positions as bigint start 1 increment 1;

CREATE OR REPLACE FUNCTION add_rule_counts(findings jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  organization uuid;
BEGIN
  -- A backup has the counts as well as the findings.
  IF current_setting('postil.restoring', true) = 'on' THEN
    RETURN;
  END IF;
  FOR organization IN
    SELECT DISTINCT (f->>'organization_id')::uuid FROM jsonb_array_elements(findings) f ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('review rules of ' || organization, 0));
  END LOOP;
  WITH counts AS (
    -- The rules that a finding names, each once; nodes of an earlier version name only the source.
    SELECT DISTINCT f.place, f.sign, f.organization_id, f.repository_id, f.pull_request, rule, f.is_posted, f.accepted, f.chance
    FROM ROWS FROM (jsonb_to_recordset(findings) AS (sign integer, organization_id uuid, repository_id uuid, pull_request integer,
        is_posted boolean, accepted boolean, chance numeric, rules text[], source_kind text, source_name text))
      WITH ORDINALITY AS f (sign, organization_id, repository_id, pull_request, is_posted, accepted, chance, rules, source_kind,
        source_name, place),
      unnest(coalesce(f.rules, CASE f.source_kind WHEN 'rule' THEN ARRAY[f.source_name] ELSE '{}' END)) rule
  ), changes AS (
    SELECT c.organization_id, c.rule, c.repository_id, c.pull_request,
      sum(c.sign) FILTER (WHERE c.pull_request IS NOT NULL) AS raised,
      sum(c.sign) FILTER (WHERE c.is_posted) AS posted,
      sum(c.sign) FILTER (WHERE c.accepted) AS accepted,
      sum(c.sign) FILTER (WHERE NOT c.accepted) AS rejected,
      sum(c.sign) FILTER (WHERE c.is_posted AND c.accepted IS NULL) AS unknown,
      sum(c.sign) FILTER (WHERE c.chance IS NOT NULL) AS chances,
      sum(c.sign * c.chance) AS chance_sum,
      coalesce(sum(c.sign) FILTER (WHERE c.accepted IS NOT NULL), 0) AS known
    FROM counts c GROUP BY c.organization_id, c.rule, c.repository_id, c.pull_request
  ), pulls AS (
    INSERT INTO review_rule_pull_requests AS p (organization_id, rule, repository_id, pull_request, known)
    SELECT c.organization_id, c.rule, c.repository_id, c.pull_request, c.known FROM changes c
    WHERE c.pull_request IS NOT NULL AND c.known <> 0
    ORDER BY c.organization_id, c.rule, c.repository_id, c.pull_request
    ON CONFLICT (organization_id, rule, repository_id, pull_request) DO UPDATE SET known = p.known + excluded.known
    RETURNING p.organization_id, p.rule, p.repository_id, p.pull_request, p.known
  ), sums AS (
    SELECT c.organization_id, c.rule, coalesce(sum(c.raised), 0) AS raised, coalesce(sum(c.posted), 0) AS posted,
      coalesce(sum(c.accepted), 0) AS accepted, coalesce(sum(c.rejected), 0) AS rejected, coalesce(sum(c.unknown), 0) AS unknown,
      coalesce(sum(c.chances), 0) AS chances, coalesce(sum(c.chance_sum), 0) AS chance_sum,
      coalesce(sum((p.known > 0)::integer - (p.known - c.known > 0)::integer), 0) AS pull_requests
    FROM changes c LEFT JOIN pulls p USING (organization_id, rule, repository_id, pull_request)
    GROUP BY c.organization_id, c.rule
  )
  INSERT INTO review_rules AS r (organization_id, rule, raised, posted, accepted, rejected, unknown, chances, chance_sum, pull_requests)
  SELECT s.organization_id, s.rule, s.raised, s.posted, s.accepted, s.rejected, s.unknown, s.chances, s.chance_sum, s.pull_requests
  FROM sums s
  WHERE (s.raised, s.posted, s.accepted, s.rejected, s.unknown, s.chances, s.chance_sum, s.pull_requests)
    <> (0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY s.organization_id, s.rule
  ON CONFLICT (organization_id, rule) DO UPDATE SET raised = r.raised + excluded.raised, posted = r.posted + excluded.posted,
    accepted = r.accepted + excluded.accepted, rejected = r.rejected + excluded.rejected, unknown = r.unknown + excluded.unknown,
    chances = r.chances + excluded.chances, chance_sum = r.chance_sum + excluded.chance_sum,
    pull_requests = r.pull_requests + excluded.pull_requests;
END $function$;

CREATE OR REPLACE FUNCTION count_changed_findings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted) FROM (
    SELECT counted_finding(f, 1) AS counted FROM after_rows f UNION ALL SELECT counted_finding(f, -1) FROM before_rows f) versions));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION count_judged_findings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(to_jsonb(versions)) FROM (
    SELECT 1 AS sign, organization_id, rules, source_kind, source_name, accepted, false AS is_posted FROM after_rows
    UNION ALL
    SELECT -1, organization_id, rules, source_kind, source_name, accepted, false FROM before_rows) versions
    WHERE accepted IS NOT NULL));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION count_new_findings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted_finding(f, 1)) FROM after_rows f));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION count_removed_findings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted_finding(f, -1)) FROM before_rows f));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION counted_finding(f review_findings, sign integer)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_build_object('sign', sign, 'organization_id', f.organization_id, 'repository_id', f.repository_id,
    'pull_request', f.pull_request, 'is_posted', f.comment_id IS NOT NULL, 'accepted', f.accepted, 'chance', f.chance,
    'rules', f.rules, 'source_kind', f.source_kind, 'source_name', f.source_name)
$function$;

CREATE OR REPLACE FUNCTION refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE OR REPLACE FUNCTION refuse_changed_signals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'signals are never changed';
END $function$;

create table addressed_comments (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  comment_id text not null,
  thread_id text,
  author_id text not null,
  kind text not null,
  state text not null,
  answer text,
  decided_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  model text,
  input_tokens bigint default 0 not null,
  output_tokens bigint default 0 not null,
  cost_usd double precision default 0 not null,
  allowed_usd double precision default 0 not null,
  calls integer default 0 not null,
  constraint addressed_comments_pkey PRIMARY KEY (organization_id, repository_id, number, comment_id),
  constraint addressed_comments_kind_check CHECK (kind = ANY (ARRAY['command'::text, 'question'::text, 'unknown'::text, 'stranger'::text, 'program'::text, 'wont_fix'::text, 'over_limit'::text])),
  constraint addressed_comments_state_check CHECK (state = ANY (ARRAY['pending'::text, 'answered'::text, 'silent'::text])),
  constraint addressed_comments_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table api_key_organizations (
  api_key_id uuid not null,
  organization_id uuid not null,
  constraint api_key_organizations_pkey PRIMARY KEY (api_key_id, organization_id),
  constraint api_key_organizations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint api_key_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table api_keys (
  id uuid not null,
  kind text not null,
  name text not null,
  value_hash bytea not null,
  organization_id uuid,
  workspace_id uuid,
  instance_id uuid,
  owner_user_id text,
  owner_person_id uuid,
  every_organization boolean not null,
  home_organization_id uuid,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_value_hash_key UNIQUE (value_hash),
  constraint api_keys_check CHECK (num_nonnulls(organization_id, workspace_id, instance_id) = 1),
  constraint api_keys_check1 CHECK (kind <> 'workspace'::text OR expires_at IS NOT NULL AND owner_person_id IS NOT NULL),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['organization'::text, 'user'::text, 'workspace'::text, 'instance'::text, 'legacy'::text, 'agentic'::text])),
  constraint api_keys_home_organization_id_fkey FOREIGN KEY (home_organization_id) REFERENCES organizations(id),
  constraint api_keys_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instances(id),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint api_keys_owner_person_id_fkey FOREIGN KEY (owner_person_id) REFERENCES people(id),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table app_flows (
  state_hash bytea not null,
  person_id uuid not null,
  connection_id uuid not null,
  provider text not null,
  url text not null,
  organization text,
  expires_at timestamp with time zone not null,
  constraint app_flows_pkey PRIMARY KEY (state_hash),
  constraint app_flows_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);

create table audit_chains (
  chain_id uuid not null,
  last_position bigint not null,
  last_hash bytea not null,
  constraint audit_chains_pkey PRIMARY KEY (chain_id)
);

create table audit_entries (
  chain_id uuid not null,
  "position" bigint not null,
  id uuid not null,
  organization_id uuid,
  workspace_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  resource_summary text not null,
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  actor_subtitle text,
  actor_is_bot boolean not null,
  metadata jsonb not null,
  ip_address text,
  request_id text,
  created_at timestamp with time zone not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_entries_pkey PRIMARY KEY (chain_id, "position"),
  constraint audit_entries_actor_type_check CHECK (actor_type = ANY (ARRAY['user'::text, 'api_key'::text, 'system'::text])),
  constraint audit_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint audit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table audit_tallies (
  chain_id uuid not null,
  action text not null,
  resource_type text not null,
  entries bigint not null,
  constraint audit_tallies_pkey PRIMARY KEY (chain_id, action, resource_type)
);

create table branch_checks (
  organization_id uuid not null,
  repository_id uuid not null,
  branch text not null,
  revision text not null,
  file text,
  checks jsonb not null,
  notes text[] not null,
  read_at timestamp with time zone not null,
  constraint branch_checks_pkey PRIMARY KEY (organization_id, repository_id, branch),
  constraint branch_checks_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table check_answers (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  head_revision text not null,
  digest text not null,
  outcome jsonb,
  fault text,
  asked_at timestamp with time zone not null,
  model text,
  input_tokens bigint default 0 not null,
  output_tokens bigint default 0 not null,
  cost_usd double precision default 0 not null,
  allowed_usd double precision default 0 not null,
  calls integer default 0 not null,
  constraint check_answers_pkey PRIMARY KEY (organization_id, repository_id, number, head_revision, digest),
  constraint check_answers_fault_check CHECK (fault = ANY (ARRAY['budget'::text, 'time'::text, 'model_failed'::text])),
  constraint check_answers_organization_id_repository_id_number_fkey FOREIGN KEY (organization_id, repository_id, number) REFERENCES reviewed_pull_requests(organization_id, repository_id, number) ON DELETE CASCADE
);

create table check_overrides (
  organization_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  number integer not null,
  head_revision text not null,
  check_name text not null,
  actor_id text not null,
  actor_name text not null,
  reason text not null,
  comment_url text not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint check_overrides_pkey PRIMARY KEY (organization_id, id),
  constraint check_overrides_organization_id_repository_id_number_fkey FOREIGN KEY (organization_id, repository_id, number) REFERENCES reviewed_pull_requests(organization_id, repository_id, number) ON DELETE CASCADE
);

create table check_records (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  check_name text not null,
  first_at timestamp with time zone not null,
  failures integer not null,
  failed_at timestamp with time zone,
  held_at timestamp with time zone,
  failing_at timestamp with time zone,
  constraint check_records_pkey PRIMARY KEY (organization_id, repository_id, number, check_name),
  constraint check_records_organization_id_repository_id_number_fkey FOREIGN KEY (organization_id, repository_id, number) REFERENCES reviewed_pull_requests(organization_id, repository_id, number) ON DELETE CASCADE
);

create table comment_sum_backlog (
  organization_id uuid not null,
  repository_id uuid not null,
  constraint comment_sum_backlog_pkey PRIMARY KEY (organization_id, repository_id)
);

create table comment_sum_changes (
  organization_id uuid not null,
  id bigint generated always as identity not null,
  repository_id uuid not null,
  day integer not null,
  counts integer[] not null,
  constraint comment_sum_changes_pkey PRIMARY KEY (organization_id, id)
);

create table connection_organizations (
  connection_id uuid not null,
  organization_id uuid not null,
  host_name text not null,
  webhook_instructions text,
  constraint connection_organizations_pkey PRIMARY KEY (connection_id, organization_id),
  constraint connection_organizations_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE,
  constraint connection_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table connection_repositories (
  connection_id uuid not null,
  organization_id uuid not null,
  repository_id uuid not null,
  full_name text not null,
  backfill_state text,
  backfill_done integer default 0 not null,
  backfill_total integer default 0 not null,
  swept_at timestamp with time zone,
  open_state text,
  constraint connection_repositories_pkey PRIMARY KEY (connection_id, organization_id, repository_id),
  constraint connection_repositories_backfill_state_check CHECK (backfill_state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])),
  constraint connection_repositories_open_state_check CHECK (open_state = ANY (ARRAY['done'::text, 'failed'::text])),
  constraint connection_repositories_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE,
  constraint connection_repositories_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table connection_write_budgets (
  connection_id uuid not null,
  minute_left double precision not null,
  hour_left double precision not null,
  counted_at timestamp with time zone not null,
  constraint connection_write_budgets_pkey PRIMARY KEY (connection_id),
  constraint connection_write_budgets_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);

create table connections (
  id uuid not null,
  provider text not null,
  url text not null,
  instance_id uuid,
  account_id text not null,
  account_username text not null,
  wanted_organizations text[],
  credentials_id uuid not null,
  webhook_secret_id uuid not null,
  former_webhook_secret_id uuid,
  former_webhook_secret_until timestamp with time zone,
  review text not null,
  defaults jsonb not null,
  paused boolean not null,
  failing_since timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  last_read_at timestamp with time zone,
  last_delivery_at timestamp with time zone,
  synced_at timestamp with time zone,
  swept_at timestamp with time zone,
  backfill_since date,
  created_at timestamp with time zone not null,
  untried boolean default false not null,
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text])),
  constraint connections_review_check CHECK (review = ANY (ARRAY['on'::text, 'off'::text])),
  constraint connections_credentials_id_fkey FOREIGN KEY (credentials_id) REFERENCES sealed_secrets(id),
  constraint connections_former_webhook_secret_id_fkey FOREIGN KEY (former_webhook_secret_id) REFERENCES sealed_secrets(id),
  constraint connections_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instances(id),
  constraint connections_webhook_secret_id_fkey FOREIGN KEY (webhook_secret_id) REFERENCES sealed_secrets(id)
);

create table coverage_reports (
  organization_id uuid not null,
  repository_id uuid not null,
  head_revision text not null,
  digest text not null,
  format text not null,
  report bytea not null,
  bytes integer not null,
  received_at timestamp with time zone not null,
  constraint coverage_reports_pkey PRIMARY KEY (organization_id, repository_id, head_revision, digest),
  constraint coverage_reports_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table dashboard_accounts (
  person_id uuid not null,
  password_hash text,
  installation_admin boolean not null,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone not null,
  first_steps_put_away_at timestamp with time zone,
  constraint dashboard_accounts_pkey PRIMARY KEY (person_id),
  constraint dashboard_accounts_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);

create table dashboard_invitations (
  token_hash bytea not null,
  email text,
  installation_admin boolean not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint dashboard_invitations_pkey PRIMARY KEY (token_hash),
  constraint dashboard_invitations_check CHECK (email IS NOT NULL OR installation_admin),
  constraint dashboard_invitations_email_check CHECK (email = lower(email))
);

create table dashboard_known_places (
  person_id uuid not null,
  place_hash bytea not null,
  last_used_at timestamp with time zone not null,
  constraint dashboard_known_places_pkey PRIMARY KEY (person_id, place_hash),
  constraint dashboard_known_places_person_id_fkey FOREIGN KEY (person_id) REFERENCES dashboard_accounts(person_id) ON DELETE CASCADE
);

create table dashboard_sessions (
  id_hash bytea not null,
  person_id uuid not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint dashboard_sessions_pkey PRIMARY KEY (id_hash),
  constraint dashboard_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES dashboard_accounts(person_id) ON DELETE CASCADE
);

create unlogged table dashboard_sso_flows (
  state_hash bytea not null,
  code_verifier text not null,
  nonce text not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  constraint dashboard_sso_flows_pkey PRIMARY KEY (state_hash)
);

create table digest_issues (
  organization_id uuid not null,
  digest_id uuid not null,
  end_date date not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  constraint digest_issues_pkey PRIMARY KEY (organization_id, digest_id, end_date),
  constraint digest_issues_organization_id_digest_id_fkey FOREIGN KEY (organization_id, digest_id) REFERENCES digests(organization_id, id) ON DELETE CASCADE
);

create table digest_sendings (
  organization_id uuid not null,
  digest_id uuid not null,
  end_date date not null,
  recipient text not null,
  state text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  error text,
  constraint digest_sendings_pkey PRIMARY KEY (organization_id, digest_id, end_date, recipient),
  constraint digest_sendings_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'claimed'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'dropped'::text])),
  constraint digest_sendings_organization_id_digest_id_end_date_fkey FOREIGN KEY (organization_id, digest_id, end_date) REFERENCES digest_issues(organization_id, digest_id, end_date) ON DELETE CASCADE
);

create table digests (
  organization_id uuid not null,
  id uuid not null,
  team_id uuid,
  weekday smallint not null,
  hour smallint not null,
  recipients text[] not null,
  chat_kind text,
  chat_secret_id uuid,
  chat_host text,
  active boolean not null,
  next_due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint digests_pkey PRIMARY KEY (organization_id, id),
  constraint digests_organization_id_team_id_key UNIQUE NULLS NOT DISTINCT (organization_id, team_id),
  constraint digests_chat_kind_check CHECK (chat_kind = ANY (ARRAY['slack'::text, 'teams'::text])),
  constraint digests_check CHECK ((chat_kind IS NULL) = (chat_secret_id IS NULL) AND (chat_kind IS NULL) = (chat_host IS NULL)),
  constraint digests_hour_check CHECK (hour >= 0 AND hour <= 23),
  constraint digests_weekday_check CHECK (weekday >= 1 AND weekday <= 7),
  constraint digests_chat_secret_id_fkey FOREIGN KEY (chat_secret_id) REFERENCES sealed_secrets(id),
  constraint digests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table early_reports (
  organization_id uuid not null,
  url_hash uuid not null,
  subject text not null,
  url text not null,
  value text not null,
  event_time timestamp with time zone not null,
  signal text,
  is_announced boolean default false not null,
  constraint early_reports_pkey PRIMARY KEY (organization_id, url_hash, subject)
);

create table event_source_organizations (
  event_source_id uuid not null,
  organization_id uuid not null,
  constraint event_source_organizations_pkey PRIMARY KEY (event_source_id, organization_id),
  constraint event_source_organizations_event_source_id_fkey FOREIGN KEY (event_source_id) REFERENCES event_sources(id) ON DELETE CASCADE,
  constraint event_source_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table event_sources (
  id uuid not null,
  name text not null,
  value_hash bytea not null,
  types text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint event_sources_pkey PRIMARY KEY (id),
  constraint event_sources_value_hash_key UNIQUE (value_hash)
);

create table finding_outcomes (
  organization_id uuid not null,
  repository_id uuid not null,
  subject text not null,
  finding_id text not null,
  head text,
  accepted boolean,
  signal text,
  chance double precision,
  pr_url text,
  changed_at timestamp with time zone not null,
  is_reported boolean not null,
  constraint finding_outcomes_pkey PRIMARY KEY (organization_id, repository_id, subject, finding_id),
  constraint finding_outcomes_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table finding_signals (
  organization_id uuid not null,
  repository_id uuid not null,
  subject text not null,
  finding_id text not null,
  digest bytea not null,
  signal text not null,
  source text not null,
  at timestamp with time zone not null,
  actor_id text,
  actor_name text,
  actor_is_bot boolean,
  evidence jsonb not null,
  constraint finding_signals_pkey PRIMARY KEY (organization_id, repository_id, subject, finding_id, digest),
  constraint finding_signals_signal_check CHECK (signal = ANY (ARRAY['suggestion_applied'::text, 'suggestion_landed'::text, 'lines_changed'::text, 'named_change'::text, 'finding_gone'::text, 'thread_resolved'::text, 'thread_reopened'::text, 'reply_fixed'::text, 'reply_wont_fix'::text, 'reaction'::text, 'dismissed'::text, 'confirmed'::text, 'merged_untouched'::text])),
  constraint finding_signals_source_check CHECK (source = ANY (ARRAY['git'::text, 'host'::text, 'rule'::text, 'model'::text, 'api'::text, 'dashboard'::text, 'command'::text])),
  constraint finding_signals_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table followed_findings (
  organization_id uuid not null,
  repository_id uuid not null,
  pull_request integer not null,
  finding_id text not null,
  reviewer text,
  source_kind text not null,
  source_name text not null,
  severity text,
  category text,
  title text not null,
  url text not null,
  thread_id text not null,
  posted_at timestamp with time zone not null,
  revision text not null,
  merge_base text,
  path text not null,
  side text not null,
  start_line integer,
  end_line integer,
  anchor_line integer,
  anchor_lines text[],
  names text[] not null,
  suggestion text,
  constraint followed_findings_pkey PRIMARY KEY (organization_id, repository_id, pull_request, finding_id),
  constraint followed_findings_side_check CHECK (side = ANY (ARRAY['new'::text, 'old'::text])),
  constraint followed_findings_source_kind_check CHECK (source_kind = ANY (ARRAY['rule'::text, 'model'::text, 'reviewer'::text])),
  constraint followed_findings_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table former_pull_request_urls (
  organization_id uuid not null,
  url_hash uuid not null,
  repository_id uuid not null,
  number integer not null,
  url text not null,
  constraint former_pull_request_urls_pkey PRIMARY KEY (organization_id, url_hash, repository_id, number)
);

create table former_signing_secrets (
  organization_id uuid not null,
  webhook_id uuid not null,
  secret_id uuid not null,
  valid_until timestamp with time zone not null,
  constraint former_signing_secrets_pkey PRIMARY KEY (organization_id, webhook_id, secret_id),
  constraint former_signing_secrets_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id),
  constraint former_signing_secrets_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES sealed_secrets(id)
);

create table former_webhook_secrets (
  secret_id uuid not null,
  connection_id uuid not null,
  valid_until timestamp with time zone not null,
  constraint former_webhook_secrets_pkey PRIMARY KEY (secret_id),
  constraint former_webhook_secrets_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE,
  constraint former_webhook_secrets_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES sealed_secrets(id)
);

create table hook_deliveries (
  connection_id uuid not null,
  id uuid not null,
  delivery_id text not null,
  event text not null,
  received_at timestamp with time zone not null,
  status text not null,
  subject text,
  attempts integer not null,
  error text,
  dispatched_at timestamp with time zone,
  constraint hook_deliveries_pkey PRIMARY KEY (connection_id, id),
  constraint hook_deliveries_connection_id_delivery_id_key UNIQUE (connection_id, delivery_id),
  constraint hook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'done'::text, 'ignored'::text, 'failed'::text])),
  constraint hook_deliveries_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);

create table host_pull_requests (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  state text not null,
  fingerprint bytea not null,
  host_updated_at timestamp with time zone not null,
  read_at timestamp with time zone not null,
  comments_read_up_to timestamp with time zone,
  opened_at timestamp with time zone,
  url text,
  title text,
  author_id text,
  author_username text,
  is_draft boolean default false not null,
  head_revision text,
  lines_added integer,
  lines_removed integer,
  files_changed integer,
  asked text[] default '{}'::text[] not null,
  reviewed_by text[] default '{}'::text[] not null,
  owners text[] default '{}'::text[] not null,
  constraint host_pull_requests_pkey PRIMARY KEY (organization_id, repository_id, number),
  constraint host_pull_requests_state_check CHECK (state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text])),
  constraint host_pull_requests_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table host_team_readings (
  organization_id uuid not null,
  connection_id uuid not null,
  tried_at timestamp with time zone not null,
  read_at timestamp with time zone,
  problem text,
  constraint host_team_readings_pkey PRIMARY KEY (organization_id),
  constraint host_team_readings_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE,
  constraint host_team_readings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table instances (
  id uuid not null,
  slug text not null,
  provider text not null,
  url text not null,
  created_at timestamp with time zone not null,
  constraint instances_pkey PRIMARY KEY (id),
  constraint instances_slug_key UNIQUE (slug)
);

create table learning_index_versions (
  organization_id uuid not null,
  repository_id uuid not null,
  version bigint not null,
  compared_version bigint default 0 not null,
  constraint learning_index_versions_pkey PRIMARY KEY (organization_id, repository_id),
  constraint learning_index_versions_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create table learning_likenesses (
  organization_id uuid not null,
  learning_id uuid not null,
  other_id uuid not null,
  kind text not null,
  likeness real not null,
  word text,
  against_id uuid,
  dismissed_at timestamp with time zone,
  constraint learning_likenesses_pkey PRIMARY KEY (organization_id, learning_id, other_id),
  constraint learning_likenesses_check CHECK (learning_id < other_id),
  constraint learning_likenesses_kind_check CHECK (kind = ANY (ARRAY['duplicate'::text, 'conflict'::text])),
  constraint learning_likenesses_organization_id_learning_id_fkey FOREIGN KEY (organization_id, learning_id) REFERENCES learnings(organization_id, id) ON DELETE CASCADE,
  constraint learning_likenesses_organization_id_other_id_fkey FOREIGN KEY (organization_id, other_id) REFERENCES learnings(organization_id, id) ON DELETE CASCADE
);

create table learning_uses_waiting (
  organization_id uuid not null,
  learning_id uuid not null,
  uses bigint not null,
  last_used_at timestamp with time zone not null,
  constraint learning_uses_waiting_pkey PRIMARY KEY (organization_id, learning_id),
  constraint learning_uses_waiting_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table learning_vectors (
  organization_id uuid not null,
  learning_id uuid not null,
  vectors bytea storage external not null,
  constraint learning_vectors_pkey PRIMARY KEY (organization_id, learning_id),
  constraint learning_vectors_organization_id_learning_id_fkey FOREIGN KEY (organization_id, learning_id) REFERENCES learnings(organization_id, id) ON DELETE CASCADE
);

create table learnings (
  organization_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  learning text not null,
  content_hash bytea not null,
  file text,
  source_url text,
  author_id text not null,
  author_person_id uuid,
  origin text not null,
  visibility text not null,
  pull_requests integer[] not null,
  approval text not null,
  approval_deadline timestamp with time zone,
  redactor_version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  usage_count bigint not null,
  last_used_at timestamp with time zone,
  embedder_id text,
  index_due_at timestamp with time zone not null,
  index_version bigint not null,
  retired_at timestamp with time zone,
  merged_into uuid,
  file_missing_since timestamp with time zone,
  constraint learnings_pkey PRIMARY KEY (organization_id, id),
  constraint learnings_organization_id_repository_id_content_hash_key UNIQUE (organization_id, repository_id, content_hash),
  constraint learnings_approval_check CHECK (approval = ANY (ARRAY['pending'::text, 'approved'::text, 'disapproved'::text])),
  constraint learnings_check CHECK ((visibility = 'private'::text) = (cardinality(pull_requests) > 0)),
  constraint learnings_check1 CHECK ((approval = 'pending'::text) = (approval_deadline IS NOT NULL)),
  constraint learnings_origin_check CHECK (origin = ANY (ARRAY['api'::text, 'chat'::text, 'pipeline'::text])),
  constraint learnings_visibility_check CHECK (visibility = ANY (ARRAY['private'::text, 'shared'::text])),
  constraint learnings_author_person_id_fkey FOREIGN KEY (author_person_id) REFERENCES people(id),
  constraint learnings_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
) with (fillfactor=90);

create table mcp_servers (
  organization_id uuid not null,
  name text not null,
  "position" integer not null,
  url text not null,
  header_names text[] not null,
  headers_id uuid,
  tools text[],
  constraint mcp_servers_pkey PRIMARY KEY (organization_id, name),
  constraint mcp_servers_headers_id_fkey FOREIGN KEY (headers_id) REFERENCES sealed_secrets(id),
  constraint mcp_servers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table members (
  organization_id uuid not null,
  provider_user_id text not null,
  person_id uuid,
  username text not null,
  role text,
  custom_role_id uuid,
  seat boolean not null,
  bot boolean not null,
  active boolean not null,
  last_active_at timestamp with time zone,
  created_at timestamp with time zone not null,
  seat_assigned_at timestamp with time zone,
  suspended boolean default false not null,
  role_by_group boolean default false not null,
  constraint members_pkey PRIMARY KEY (organization_id, provider_user_id),
  constraint members_check CHECK ((role IS NULL) <> (custom_role_id IS NULL)),
  constraint members_check1 CHECK (NOT (active AND suspended)),
  constraint members_role_check CHECK (role = ANY (ARRAY['cr_admin'::text, 'cr_member'::text, 'cr_billing_admin'::text])),
  constraint members_organization_id_custom_role_id_fkey FOREIGN KEY (organization_id, custom_role_id) REFERENCES roles(organization_id, id),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
) with (fillfactor=85);

create table metrics_storage (
  organization_id uuid not null,
  isolated_id integer not null,
  storage_id integer not null,
  moving_from integer,
  constraint metrics_storage_pkey PRIMARY KEY (organization_id),
  constraint metrics_storage_isolated_id_key UNIQUE (isolated_id),
  constraint metrics_storage_check CHECK (storage_id = 0 OR storage_id = isolated_id),
  constraint metrics_storage_check1 CHECK (moving_from <> storage_id),
  constraint metrics_storage_isolated_id_check CHECK (isolated_id > 0),
  constraint metrics_storage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create unlogged table nodes (
  node uuid not null,
  seen_at timestamp with time zone not null,
  lost_at timestamp with time zone,
  constraint nodes_pkey PRIMARY KEY (node)
);

create table organization_comment_sums (
  organization_id uuid not null,
  span integer not null,
  posted bigint not null,
  accepted bigint not null,
  not_accepted bigint not null,
  critical_posted bigint not null,
  critical_accepted bigint not null,
  critical_not_accepted bigint not null,
  major_posted bigint not null,
  major_accepted bigint not null,
  major_not_accepted bigint not null,
  minor_posted bigint not null,
  minor_accepted bigint not null,
  minor_not_accepted bigint not null,
  trivial_posted bigint not null,
  trivial_accepted bigint not null,
  trivial_not_accepted bigint not null,
  info_posted bigint not null,
  info_accepted bigint not null,
  info_not_accepted bigint not null,
  data_integrity_and_integration_posted bigint not null,
  data_integrity_and_integration_accepted bigint not null,
  data_integrity_and_integration_not_accepted bigint not null,
  functional_correctness_posted bigint not null,
  functional_correctness_accepted bigint not null,
  functional_correctness_not_accepted bigint not null,
  maintainability_and_code_quality_posted bigint not null,
  maintainability_and_code_quality_accepted bigint not null,
  maintainability_and_code_quality_not_accepted bigint not null,
  performance_and_scalability_posted bigint not null,
  performance_and_scalability_accepted bigint not null,
  performance_and_scalability_not_accepted bigint not null,
  security_and_privacy_posted bigint not null,
  security_and_privacy_accepted bigint not null,
  security_and_privacy_not_accepted bigint not null,
  stability_and_availability_posted bigint not null,
  stability_and_availability_accepted bigint not null,
  stability_and_availability_not_accepted bigint not null,
  constraint organization_comment_sums_pkey PRIMARY KEY (organization_id, span)
) with (fillfactor=80);

create table organizations (
  id uuid not null,
  provider text not null,
  provider_organization_id text not null,
  instance_id uuid,
  workspace_id uuid,
  name text not null,
  active boolean not null,
  plan text not null,
  subscription text not null,
  seats_purchased integer not null,
  seat_assignment_mode text not null,
  metrics text not null,
  metrics_isolated boolean not null,
  approval_delay_days integer not null,
  created_at timestamp with time zone not null,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_instance_id_provider_provider_organization_id_key UNIQUE NULLS NOT DISTINCT (instance_id, provider, provider_organization_id),
  constraint organizations_approval_delay_days_check CHECK (approval_delay_days >= 0 AND approval_delay_days <= 30),
  constraint organizations_metrics_check CHECK (metrics = ANY (ARRAY['available'::text, 'unavailable'::text])),
  constraint organizations_plan_check CHECK (plan = ANY (ARRAY['free'::text, 'pro'::text, 'enterprise'::text])),
  constraint organizations_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'bitbucket'::text, 'azure_devops'::text, 'gitea'::text])),
  constraint organizations_seat_assignment_mode_check CHECK (seat_assignment_mode = ANY (ARRAY['automatic'::text, 'manual'::text])),
  constraint organizations_seats_purchased_check CHECK (seats_purchased >= 0),
  constraint organizations_subscription_check CHECK (subscription = ANY (ARRAY['active'::text, 'none'::text])),
  constraint organizations_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instances(id),
  constraint organizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table osv_advisories (
  id text not null,
  advisory jsonb not null,
  constraint osv_advisories_pkey PRIMARY KEY (id)
);

create table osv_affected (
  ecosystem text not null,
  name text not null,
  advisory_id text not null,
  constraint osv_affected_pkey PRIMARY KEY (ecosystem, name, advisory_id),
  constraint osv_affected_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES osv_advisories(id) ON DELETE CASCADE
);

create table people (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  constraint people_pkey PRIMARY KEY (id),
  constraint people_email_key UNIQUE (email),
  constraint people_email_check CHECK (email = lower(email))
);

create table pull_request_checks (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  head_revision text not null,
  basis text not null,
  verdicts jsonb not null,
  shown jsonb,
  evaluated_at timestamp with time zone not null,
  is_newest boolean default true not null,
  state text,
  constraint pull_request_checks_pkey PRIMARY KEY (organization_id, repository_id, number, head_revision),
  constraint pull_request_checks_organization_id_repository_id_number_fkey FOREIGN KEY (organization_id, repository_id, number) REFERENCES reviewed_pull_requests(organization_id, repository_id, number) ON DELETE CASCADE
);

create table pull_requests (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  url text not null,
  state text not null,
  event_time timestamp with time zone not null,
  constraint pull_requests_pkey PRIMARY KEY (organization_id, repository_id, number),
  constraint pull_requests_state_check CHECK (state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text]))
);

create unlogged table rate_limit_windows (
  bucket text not null,
  moments timestamp with time zone[] not null,
  counts integer[] not null,
  last_admitted boolean not null,
  used integer default 0 not null,
  admitted integer default 0 not null,
  constraint rate_limit_windows_pkey PRIMARY KEY (bucket)
);

create table received_events (
  digest uuid not null,
  received_at timestamp with time zone not null,
  forget_at timestamp with time zone,
  constraint received_events_pkey PRIMARY KEY (digest)
);

create table repositories (
  organization_id uuid not null,
  id uuid not null,
  provider_repository_id text not null,
  name text not null,
  active boolean not null,
  private boolean not null,
  approval_delay_days integer,
  readers_restricted boolean not null,
  created_at timestamp with time zone not null,
  constraint repositories_pkey PRIMARY KEY (organization_id, id),
  constraint repositories_organization_id_provider_repository_id_key UNIQUE (organization_id, provider_repository_id),
  constraint repositories_approval_delay_days_check CHECK (approval_delay_days >= 0 AND approval_delay_days <= 30),
  constraint repositories_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table repository_comment_sums (
  organization_id uuid not null,
  span integer not null,
  repository_id uuid not null,
  posted bigint not null,
  accepted bigint not null,
  not_accepted bigint not null,
  critical_posted bigint not null,
  critical_accepted bigint not null,
  critical_not_accepted bigint not null,
  major_posted bigint not null,
  major_accepted bigint not null,
  major_not_accepted bigint not null,
  minor_posted bigint not null,
  minor_accepted bigint not null,
  minor_not_accepted bigint not null,
  trivial_posted bigint not null,
  trivial_accepted bigint not null,
  trivial_not_accepted bigint not null,
  info_posted bigint not null,
  info_accepted bigint not null,
  info_not_accepted bigint not null,
  data_integrity_and_integration_posted bigint not null,
  data_integrity_and_integration_accepted bigint not null,
  data_integrity_and_integration_not_accepted bigint not null,
  functional_correctness_posted bigint not null,
  functional_correctness_accepted bigint not null,
  functional_correctness_not_accepted bigint not null,
  maintainability_and_code_quality_posted bigint not null,
  maintainability_and_code_quality_accepted bigint not null,
  maintainability_and_code_quality_not_accepted bigint not null,
  performance_and_scalability_posted bigint not null,
  performance_and_scalability_accepted bigint not null,
  performance_and_scalability_not_accepted bigint not null,
  security_and_privacy_posted bigint not null,
  security_and_privacy_accepted bigint not null,
  security_and_privacy_not_accepted bigint not null,
  stability_and_availability_posted bigint not null,
  stability_and_availability_accepted bigint not null,
  stability_and_availability_not_accepted bigint not null,
  constraint repository_comment_sums_pkey PRIMARY KEY (organization_id, span, repository_id)
) with (fillfactor=80);

create table repository_inventories (
  organization_id uuid not null,
  repository_id uuid not null,
  revision text,
  read_at timestamp with time zone,
  due_at timestamp with time zone not null,
  packages integer default 0 not null,
  affected integer default 0 not null,
  notes text[] default '{}'::text[] not null,
  constraint repository_inventories_pkey PRIMARY KEY (organization_id, repository_id),
  constraint repository_inventories_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table repository_packages (
  organization_id uuid not null,
  repository_id uuid not null,
  ecosystem text collate "C" not null,
  name text collate "C" not null,
  version text collate "C" not null,
  is_fixed boolean not null,
  is_direct boolean not null,
  licence text,
  path text not null,
  advisories text[] default '{}'::text[] not null,
  severity text,
  constraint repository_packages_pkey PRIMARY KEY (organization_id, repository_id, ecosystem, name, version),
  constraint repository_packages_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repository_inventories(organization_id, repository_id) ON DELETE CASCADE
);

create table repository_readers (
  organization_id uuid not null,
  repository_id uuid not null,
  provider_user_id text not null,
  constraint repository_readers_pkey PRIMARY KEY (organization_id, repository_id, provider_user_id),
  constraint repository_readers_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table review_findings (
  organization_id uuid not null,
  repository_id uuid not null,
  pull_request integer not null,
  finding_id text not null,
  kind text not null,
  lineage text not null,
  quote text not null,
  symbol text,
  path text not null,
  side text not null,
  start_line integer,
  end_line integer,
  head_revision text not null,
  in_diff boolean not null,
  severity text not null,
  category text not null,
  title text not null,
  body text not null,
  suggestion text,
  source_kind text not null,
  source_name text not null,
  learning_ids text[] not null,
  state text not null,
  accepted boolean,
  comment_id text,
  thread_id text,
  url text,
  posted_revision text,
  posted_path text,
  posted_start_line integer,
  posted_end_line integer,
  posted_at timestamp with time zone,
  first_run_id uuid not null,
  last_run_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  related jsonb default '[]'::jsonb not null,
  confidence text,
  rules text[],
  cwe text,
  chance double precision,
  released_at timestamp with time zone,
  withheld_at timestamp with time zone,
  withheld_by_end boolean default false not null,
  constraint review_findings_pkey PRIMARY KEY (organization_id, repository_id, pull_request, finding_id),
  constraint review_findings_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'major'::text, 'minor'::text, 'trivial'::text, 'info'::text])),
  constraint review_findings_side_check CHECK (side = ANY (ARRAY['new'::text, 'old'::text])),
  constraint review_findings_source_kind_check CHECK (source_kind = ANY (ARRAY['rule'::text, 'model'::text])),
  constraint review_findings_state_check CHECK (state = ANY (ARRAY['open'::text, 'outdated'::text, 'resolved'::text, 'dismissed'::text])),
  constraint review_findings_organization_id_repository_id_pull_request_fkey FOREIGN KEY (organization_id, repository_id, pull_request) REFERENCES reviewed_pull_requests(organization_id, repository_id, number) ON DELETE CASCADE
);

create table review_fixes (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  request text not null,
  run_id uuid not null,
  head_revision text not null,
  actor jsonb not null,
  state text not null,
  commit_revision text,
  finding_ids text[] default '{}'::text[] not null,
  left_over integer default 0 not null,
  reason text,
  requested_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint review_fixes_pkey PRIMARY KEY (organization_id, repository_id, number, request),
  constraint review_fixes_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text])),
  constraint review_fixes_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table review_metrics (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  storage_id integer not null,
  write_seq bigint,
  entry text,
  entry_head text,
  mcp_seq bigint,
  mcp_servers text,
  slot_1 integer,
  slot_4 integer,
  slot_16 integer,
  slot_64 integer,
  slot_256 integer,
  author_id text,
  author_username text,
  created_at timestamp with time zone not null,
  ready_for_review_at timestamp with time zone,
  first_human_review_at timestamp with time zone,
  last_commit_at timestamp with time zone,
  merged_at timestamp with time zone,
  closed_at timestamp with time zone,
  review_iterations integer,
  estimated_complexity smallint,
  estimated_review_minutes double precision,
  findings_time timestamp with time zone,
  finding_facts text,
  comment_counts text,
  mcp_time timestamp with time zone,
  constraint review_metrics_pkey PRIMARY KEY (organization_id, repository_id, number, storage_id)
) partition by LIST (storage_id);

create table review_metrics_shared partition of review_metrics FOR VALUES IN (0) with (fillfactor=80, toast_tuple_target=8160);

create table review_metrics_unplaced partition of review_metrics DEFAULT with (fillfactor=80, toast_tuple_target=8160);

create table review_results (
  organization_id uuid not null,
  repository_id uuid not null,
  head_revision text not null,
  digest text not null,
  tool text not null,
  results bytea not null,
  bytes integer not null,
  run_id uuid not null,
  received_at timestamp with time zone not null,
  constraint review_results_pkey PRIMARY KEY (organization_id, repository_id, head_revision, digest),
  constraint review_results_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table review_rule_backlog (
  organization_id uuid not null,
  constraint review_rule_backlog_pkey PRIMARY KEY (organization_id)
);

create table review_rule_pull_requests (
  organization_id uuid not null,
  rule text not null,
  repository_id uuid not null,
  pull_request integer not null,
  known integer not null,
  constraint review_rule_pull_requests_pkey PRIMARY KEY (organization_id, rule, repository_id, pull_request)
);

create table review_rules (
  organization_id uuid not null,
  rule text not null,
  raised bigint default 0 not null,
  posted bigint default 0 not null,
  accepted bigint default 0 not null,
  rejected bigint default 0 not null,
  unknown bigint default 0 not null,
  chances bigint default 0 not null,
  chance_sum numeric default 0 not null,
  pull_requests bigint default 0 not null,
  setting text default 'automatic'::text not null,
  state text default 'active'::text not null,
  since timestamp with time zone,
  constraint review_rules_pkey PRIMARY KEY (organization_id, rule),
  constraint review_rules_setting_check CHECK (setting = ANY (ARRAY['automatic'::text, 'pinned'::text, 'off'::text])),
  constraint review_rules_state_check CHECK (state = ANY (ARRAY['active'::text, 'quiet'::text, 'pinned'::text, 'off'::text]))
) with (fillfactor=80);

create table review_run_findings (
  organization_id uuid not null,
  run_id uuid not null,
  "position" integer not null,
  finding_id text not null,
  path text not null,
  side text not null,
  start_line integer,
  end_line integer,
  severity text not null,
  category text not null,
  title text not null,
  body text not null,
  suggestion text,
  source_kind text not null,
  source_name text not null,
  learning_ids text[] not null,
  quote text not null,
  symbol text,
  in_diff boolean not null,
  url text,
  state text default 'open'::text not null,
  accepted boolean,
  related jsonb default '[]'::jsonb not null,
  confidence text,
  rules text[],
  cwe text,
  constraint review_run_findings_pkey PRIMARY KEY (organization_id, run_id, "position"),
  constraint review_run_findings_organization_id_run_id_finding_id_key UNIQUE (organization_id, run_id, finding_id),
  constraint review_run_findings_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'major'::text, 'minor'::text, 'trivial'::text, 'info'::text])),
  constraint review_run_findings_side_check CHECK (side = ANY (ARRAY['new'::text, 'old'::text])),
  constraint review_run_findings_source_kind_check CHECK (source_kind = ANY (ARRAY['rule'::text, 'model'::text])),
  constraint review_run_findings_state_check CHECK (state = ANY (ARRAY['open'::text, 'outdated'::text, 'resolved'::text, 'dismissed'::text])),
  constraint review_run_findings_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES review_runs(organization_id, id) ON DELETE CASCADE
);

create table review_run_work (
  organization_id uuid not null,
  run_id uuid not null,
  diff text,
  files jsonb,
  bytes integer not null,
  stages jsonb default '{}'::jsonb not null,
  for_results boolean default false not null,
  constraint review_run_work_pkey PRIMARY KEY (organization_id, run_id),
  constraint review_run_work_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES review_runs(organization_id, id) ON DELETE CASCADE
);

create table review_runs (
  organization_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  pull_request integer,
  pr_url text,
  trigger text not null,
  mode text not null,
  status text not null,
  reason text,
  base_revision text,
  head_revision text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  actor_id text,
  actor_name text not null,
  api_key_id uuid,
  attempts integer default 0 not null,
  lease uuid,
  leased_until timestamp with time zone,
  coverage jsonb default '[]'::jsonb not null,
  summary text,
  notes text[] default '{}'::text[] not null,
  model text,
  input_tokens bigint default 0 not null,
  output_tokens bigint default 0 not null,
  cost_usd double precision default 0 not null,
  calls integer default 0 not null,
  estimated_complexity smallint,
  estimated_review_minutes integer,
  allowed_usd double precision default 0 not null,
  mcp_usage jsonb default '[]'::jsonb not null,
  status_due boolean default false not null,
  report jsonb,
  tool_calls integer default 0 not null,
  release text,
  constraint review_runs_pkey PRIMARY KEY (organization_id, id),
  constraint review_runs_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL)),
  constraint review_runs_mode_check CHECK (mode = ANY (ARRAY['incremental'::text, 'full'::text])),
  constraint review_runs_release_check CHECK (release = ANY (ARRAY['waiting'::text, 'released'::text])),
  constraint review_runs_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'degraded'::text, 'failed'::text, 'skipped'::text, 'superseded'::text, 'cancelled'::text])),
  constraint review_runs_trigger_check CHECK (trigger = ANY (ARRAY['opened'::text, 'ready'::text, 'reopened'::text, 'push'::text, 'comment'::text, 'api'::text])),
  constraint review_runs_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create table review_settings (
  organization_id uuid not null,
  other_reviewers text[] not null,
  budget_usd_per_month double precision,
  ast_grep_rules text[] not null,
  allow_mcp_for_forks boolean not null,
  defaults jsonb not null,
  updated_at timestamp with time zone not null,
  enforced_checks jsonb default '{}'::jsonb not null,
  constraint review_settings_pkey PRIMARY KEY (organization_id),
  constraint review_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table reviewed_pull_requests (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  url text not null,
  state text not null,
  is_draft boolean not null,
  head_revision text not null,
  facts jsonb not null,
  read_at timestamp with time zone not null,
  due text,
  reviewed_run_id uuid,
  reviewed_head text,
  reviewed_base text,
  reviewed_patch text,
  reviewed_files jsonb default '[]'::jsonb not null,
  summary_comment_id text,
  evaluation_due_at timestamp with time zone,
  answers_due_at timestamp with time zone,
  paused_at timestamp with time zone,
  paused_by text,
  checks_due_at timestamp with time zone,
  head_seen_at timestamp with time zone,
  questions_due_at timestamp with time zone,
  constraint reviewed_pull_requests_pkey PRIMARY KEY (organization_id, repository_id, number),
  constraint reviewed_pull_requests_due_check CHECK (due = ANY (ARRAY['opened'::text, 'ready'::text, 'reopened'::text, 'push'::text])),
  constraint reviewed_pull_requests_state_check CHECK (state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text])),
  constraint reviewed_pull_requests_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
);

create table roles (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  is_default boolean not null,
  permissions text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint roles_pkey PRIMARY KEY (organization_id, id),
  constraint roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  oldest_node integer default 0 not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table scim_group_members (
  workspace_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  constraint scim_group_members_pkey PRIMARY KEY (workspace_id, group_id, user_id),
  constraint scim_group_members_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES scim_groups(workspace_id, id) ON DELETE CASCADE,
  constraint scim_group_members_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES scim_users(workspace_id, id) ON DELETE CASCADE
);

create table scim_groups (
  workspace_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_groups_pkey PRIMARY KEY (workspace_id, id),
  constraint scim_groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table scim_users (
  workspace_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  user_name text not null,
  external_id text,
  active boolean not null,
  deleted boolean not null,
  attributes jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint scim_users_pkey PRIMARY KEY (workspace_id, id),
  constraint scim_users_workspace_id_person_id_key UNIQUE (workspace_id, person_id),
  constraint scim_users_check CHECK (NOT (active AND deleted)),
  constraint scim_users_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint scim_users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table sealed_secrets (
  id uuid not null,
  purpose text not null,
  key_id text not null,
  sealed bytea not null,
  constraint sealed_secrets_pkey PRIMARY KEY (id)
);

create table secrets (
  name text not null,
  value bytea not null,
  constraint secrets_pkey PRIMARY KEY (name)
);

create table security_findings (
  organization_id uuid not null,
  id uuid not null,
  repository_id uuid,
  fingerprint text,
  rule_id text,
  title text,
  description text,
  severity text,
  cwe text[],
  file_path text collate "C",
  start_line integer,
  end_line integer,
  reachability json,
  suppression_reason text,
  suppressed_by text,
  revision text collate "C",
  scan_id text collate "C",
  coverage_scope text,
  first_detected_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  fixed_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  dismissal_reason text collate "C",
  dismissed_by text collate "C",
  state text generated always as (
CASE
    WHEN (last_seen_at IS NULL) THEN NULL::text
    WHEN (fixed_at IS NOT NULL) THEN 'fixed'::text
    WHEN ((dismissed_at IS NOT NULL) OR (suppression_reason IS NOT NULL)) THEN 'dismissed'::text
    ELSE 'open'::text
END) stored,
  tool text collate "C" default ''::text not null,
  alike text collate "C",
  start_column integer,
  end_column integer,
  origin json,
  constraint security_findings_pkey PRIMARY KEY (organization_id, id),
  constraint security_findings_check CHECK (num_nonnulls(repository_id, fingerprint, rule_id, title, severity, cwe, file_path, start_line, end_line, revision, scan_id, coverage_scope, first_detected_at, last_seen_at) = ANY (ARRAY[0, 14])),
  constraint security_findings_check1 CHECK (last_seen_at IS NOT NULL OR dismissed_at IS NOT NULL),
  constraint security_findings_check2 CHECK (num_nonnulls(dismissed_at, dismissal_reason, dismissed_by) = ANY (ARRAY[0, 3])),
  constraint security_findings_coverage_scope_check CHECK (coverage_scope = ANY (ARRAY['repository'::text, 'directories'::text])),
  constraint security_findings_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'info'::text])),
  constraint security_findings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint security_findings_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
) with (fillfactor=85);

create table security_rules (
  organization_id uuid not null,
  repository_id uuid not null,
  tool text collate "C" not null,
  rule_id text collate "C" not null,
  scanned_at timestamp with time zone not null,
  descriptor json not null,
  constraint security_rules_pkey PRIMARY KEY (organization_id, repository_id, tool, rule_id),
  constraint security_rules_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create table security_scans (
  organization_id uuid not null,
  repository_id uuid not null,
  scanned_at timestamp with time zone not null,
  scan_id text collate "C" not null,
  directories text[],
  tool text collate "C" not null,
  unread json,
  constraint security_scans_pkey PRIMARY KEY (organization_id, repository_id, scanned_at, scan_id, tool),
  constraint security_scans_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create table security_tools (
  organization_id uuid not null,
  repository_id uuid not null,
  tool text collate "C" not null,
  scanned_at timestamp with time zone not null,
  driver json not null,
  constraint security_tools_pkey PRIMARY KEY (organization_id, repository_id, tool),
  constraint security_tools_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create table taken_work (
  kind text not null,
  key text not null,
  node uuid not null,
  times smallint not null,
  taken_at timestamp with time zone not null,
  lease uuid,
  ends_at timestamp with time zone default (now() + '00:00:30'::interval) not null,
  turn text,
  constraint taken_work_pkey PRIMARY KEY (kind, key)
);

create table team_members (
  organization_id uuid not null,
  team_id uuid not null,
  provider_user_id text not null,
  username text,
  constraint team_members_pkey PRIMARY KEY (organization_id, team_id, provider_user_id),
  constraint team_members_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE
);

create table teams (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  host_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint teams_pkey PRIMARY KEY (organization_id, id),
  constraint teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table webhook_deliveries (
  organization_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  "position" bigint generated always as identity not null,
  type text not null,
  subject text not null,
  data json not null,
  created_at timestamp with time zone not null,
  status text not null,
  requested boolean default false not null,
  attempts integer default 0 not null,
  failures integer default 0 not null,
  tried_since timestamp with time zone,
  last_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  leased_until timestamp with time zone,
  response_status integer,
  response_body text,
  error text,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, webhook_id, id),
  constraint webhook_deliveries_check CHECK ((status = 'waiting'::text) = (next_attempt_at IS NOT NULL)),
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])),
  constraint webhook_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table webhooks (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  types text[] not null,
  active boolean not null,
  notice text,
  notice_at timestamp with time zone,
  secret_id uuid not null,
  former_secret_id uuid,
  former_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (organization_id, id),
  constraint webhooks_former_secret_id_fkey FOREIGN KEY (former_secret_id) REFERENCES sealed_secrets(id),
  constraint webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint webhooks_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES sealed_secrets(id)
);

create table workspace_admins (
  workspace_id uuid not null,
  person_id uuid not null,
  by_group boolean default false not null,
  constraint workspace_admins_pkey PRIMARY KEY (workspace_id, person_id),
  constraint workspace_admins_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint workspace_admins_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table workspaces (
  id uuid not null,
  slug text not null,
  name text not null,
  active boolean not null,
  created_at timestamp with time zone not null,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_slug_key UNIQUE (slug)
);

create table write_clock (
  id boolean not null,
  storage_version bigint default 0 not null,
  constraint write_clock_pkey PRIMARY KEY (id),
  constraint write_clock_id_check CHECK (id)
);

CREATE INDEX addressed_comments_spending ON addressed_comments USING btree (organization_id, decided_at) WHERE calls > 0 OR allowed_usd > 0::double precision;

CREATE INDEX api_keys_by_instance ON api_keys USING btree (instance_id, owner_user_id);

CREATE INDEX api_keys_by_organization ON api_keys USING btree (organization_id, created_at, id) WHERE organization_id IS NOT NULL;

CREATE INDEX api_keys_by_workspace ON api_keys USING btree (workspace_id, created_at, id);

CREATE INDEX api_keys_newest ON api_keys USING btree (created_at, id);

CREATE INDEX audit_entries_by_time ON audit_entries USING btree (chain_id, created_at DESC, "position" DESC) INCLUDE (action, resource_type, actor_name);

CREATE INDEX audit_entries_of_security_findings ON audit_entries USING btree (organization_id, resource_id) WHERE resource_type = 'security_finding'::text;

CREATE INDEX check_answers_by_time ON check_answers USING btree (organization_id, asked_at);

CREATE INDEX check_overrides_by_check ON check_overrides USING btree (organization_id, check_name, created_at, id);

CREATE INDEX check_overrides_by_repository ON check_overrides USING btree (organization_id, repository_id, created_at, id);

CREATE INDEX check_overrides_by_time ON check_overrides USING btree (organization_id, created_at, id);

CREATE UNIQUE INDEX check_overrides_in_force ON check_overrides USING btree (organization_id, repository_id, number, check_name) WHERE ended_at IS NULL;

CREATE INDEX check_records_by_time ON check_records USING btree (organization_id, first_at) INCLUDE (check_name, repository_id, failures, failed_at, held_at);

CREATE INDEX check_records_failing ON check_records USING btree (organization_id, check_name, failing_at DESC, repository_id DESC, number DESC) WHERE failing_at IS NOT NULL;

CREATE INDEX connection_organizations_by_organization ON connection_organizations USING btree (organization_id);

CREATE INDEX connection_repositories_by_repository ON connection_repositories USING btree (organization_id, repository_id);

CREATE INDEX connection_repositories_open_unread ON connection_repositories USING btree (organization_id) WHERE open_state IS NULL;

CREATE INDEX connection_repositories_unfinished ON connection_repositories USING btree (connection_id) WHERE backfill_state IS NULL OR (backfill_state = ANY (ARRAY['waiting'::text, 'running'::text]));

CREATE INDEX connections_by_credentials ON connections USING btree (credentials_id);

CREATE INDEX connections_by_former_secret ON connections USING btree (former_webhook_secret_id) WHERE former_webhook_secret_id IS NOT NULL;

CREATE INDEX connections_by_secret ON connections USING btree (webhook_secret_id);

CREATE INDEX connections_newest ON connections USING btree (created_at DESC, id DESC);

CREATE INDEX coverage_reports_by_age ON coverage_reports USING btree (received_at);

CREATE INDEX dashboard_accounts_installation_admins ON dashboard_accounts USING btree (person_id) WHERE installation_admin;

CREATE UNIQUE INDEX dashboard_invitations_by_person ON dashboard_invitations USING btree (email);

CREATE INDEX dashboard_sessions_by_person ON dashboard_sessions USING btree (person_id);

CREATE INDEX digest_sendings_by_time ON digest_sendings USING btree (changed_at);

CREATE INDEX digest_sendings_under_way ON digest_sendings USING btree (changed_at) WHERE state = ANY (ARRAY['claimed'::text, 'sending'::text]);

CREATE INDEX digest_sendings_waiting ON digest_sendings USING btree (next_attempt_at) WHERE state = 'waiting'::text;

CREATE INDEX digests_by_chat_secret ON digests USING btree (chat_secret_id) WHERE chat_secret_id IS NOT NULL;

CREATE INDEX digests_due ON digests USING btree (next_due_at) WHERE active;

CREATE INDEX event_sources_newest ON event_sources USING btree (created_at DESC, id DESC);

CREATE INDEX finding_outcomes_unreported ON finding_outcomes USING btree (organization_id, repository_id, subject) WHERE NOT is_reported;

CREATE INDEX finding_signals_newest ON finding_signals USING btree (organization_id, repository_id, subject, finding_id, at DESC, digest DESC);

CREATE INDEX followed_findings_by_repository ON followed_findings USING btree (organization_id, repository_id, posted_at DESC, pull_request DESC, finding_id DESC);

CREATE INDEX followed_findings_by_reviewer ON followed_findings USING btree (organization_id, lower(COALESCE(reviewer, ''::text)), posted_at DESC, repository_id DESC, pull_request DESC, finding_id DESC);

CREATE INDEX followed_findings_newest ON followed_findings USING btree (organization_id, posted_at DESC, repository_id DESC, pull_request DESC, finding_id DESC);

CREATE INDEX former_signing_secrets_by_secret ON former_signing_secrets USING btree (secret_id);

CREATE INDEX former_webhook_secrets_by_connection ON former_webhook_secrets USING btree (connection_id);

CREATE INDEX hook_deliveries_by_age ON hook_deliveries USING btree (received_at) WHERE status <> 'waiting'::text;

CREATE INDEX hook_deliveries_waiting ON hook_deliveries USING btree (connection_id, subject, id) WHERE status = 'waiting'::text;

CREATE INDEX host_pull_requests_newest ON host_pull_requests USING btree (organization_id, opened_at);

CREATE INDEX host_pull_requests_open ON host_pull_requests USING btree (organization_id, host_updated_at) WHERE state = 'open'::text;

CREATE INDEX host_pull_requests_open_asked ON host_pull_requests USING gin (asked) WHERE state = 'open'::text;

CREATE INDEX host_pull_requests_open_by_age ON host_pull_requests USING btree (organization_id, opened_at, repository_id, number) WHERE state = 'open'::text;

CREATE INDEX host_pull_requests_open_by_author ON host_pull_requests USING btree (organization_id, author_id, opened_at) WHERE state = 'open'::text;

CREATE INDEX host_pull_requests_open_owners ON host_pull_requests USING gin (owners) WHERE state = 'open'::text;

CREATE INDEX learning_likenesses_by_other ON learning_likenesses USING btree (organization_id, other_id);

CREATE INDEX learnings_by_embedder ON learnings USING btree (embedder_id, id);

CREATE INDEX learnings_by_index_version ON learnings USING btree (organization_id, repository_id, index_version, id);

CREATE INDEX learnings_by_repository_and_time ON learnings USING btree (organization_id, repository_id, created_at, id);

CREATE INDEX learnings_by_time ON learnings USING btree (organization_id, created_at, id);

CREATE INDEX learnings_merged ON learnings USING btree (organization_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX learnings_pending ON learnings USING btree (approval_deadline, id) WHERE approval = 'pending'::text;

CREATE INDEX learnings_private ON learnings USING btree (organization_id, repository_id) WHERE visibility = 'private'::text;

CREATE INDEX mcp_servers_by_secret ON mcp_servers USING btree (headers_id) WHERE headers_id IS NOT NULL;

CREATE INDEX members_admins ON members USING btree (organization_id, provider_user_id) WHERE role = 'cr_admin'::text AND active;

CREATE INDEX members_by_name ON members USING btree (organization_id, lower(username) COLLATE "C", provider_user_id) WHERE active;

CREATE INDEX members_by_person ON members USING btree (person_id) WHERE person_id IS NOT NULL;

CREATE INDEX members_by_role ON members USING btree (organization_id, custom_role_id, role) INCLUDE (active);

CREATE INDEX members_people ON members USING btree (organization_id, person_id) WHERE active AND person_id IS NOT NULL;

CREATE INDEX members_with_seat ON members USING btree (organization_id, provider_user_id) INCLUDE (person_id) WHERE seat AND active;

CREATE INDEX organization_comment_sums_days ON organization_comment_sums USING btree (organization_id, span) INCLUDE (posted, accepted, not_accepted) WHERE span < 4194304;

CREATE INDEX organizations_by_host_id ON organizations USING btree (provider_organization_id);

CREATE INDEX organizations_by_name ON organizations USING btree (name COLLATE "C", id) WHERE active;

CREATE INDEX organizations_by_workspace ON organizations USING btree (workspace_id, name COLLATE "C", id) WHERE workspace_id IS NOT NULL;

CREATE INDEX organizations_isolated ON organizations USING btree (id) WHERE metrics_isolated;

CREATE INDEX osv_affected_by_advisory ON osv_affected USING btree (advisory_id);

CREATE INDEX pull_request_checks_by_repository ON pull_request_checks USING btree (organization_id, repository_id, evaluated_at DESC, number DESC) WHERE is_newest;

CREATE INDEX pull_request_checks_by_state ON pull_request_checks USING btree (organization_id, state, evaluated_at DESC, repository_id DESC, number DESC) WHERE is_newest;

CREATE INDEX pull_request_checks_by_time ON pull_request_checks USING btree (organization_id, evaluated_at DESC, repository_id DESC, number DESC) WHERE is_newest;

CREATE INDEX pull_requests_by_url ON pull_requests USING btree (organization_id, (md5(url)::uuid));

CREATE INDEX received_events_to_forget ON received_events USING btree (forget_at) WHERE forget_at IS NOT NULL;

CREATE INDEX repositories_by_name ON repositories USING btree (organization_id, name COLLATE "C", id) WHERE active;

CREATE INDEX repository_inventories_by_due ON repository_inventories USING btree (due_at);

CREATE INDEX repository_packages_affected ON repository_packages USING btree (organization_id, ecosystem, lower(name), name, version, repository_id) WHERE severity IS NOT NULL;

CREATE INDEX repository_packages_by_name ON repository_packages USING btree (organization_id, ecosystem, lower(name), name, version, repository_id);

CREATE INDEX repository_packages_of_any ON repository_packages USING btree (ecosystem, lower(name));

CREATE INDEX review_findings_by_learning ON review_findings USING gin (learning_ids) WITH (fastupdate=off) WHERE cardinality(learning_ids) > 0;

CREATE INDEX review_findings_with_learnings ON review_findings USING btree (organization_id) INCLUDE (accepted, learning_ids) WHERE cardinality(learning_ids) > 0;

CREATE INDEX review_fixes_by_run ON review_fixes USING btree (organization_id, run_id);

CREATE INDEX review_metrics_by_author ON review_metrics USING btree (organization_id, author_id, write_seq) INCLUDE (slot_1, repository_id) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_repository ON review_metrics USING btree (organization_id, repository_id, write_seq) INCLUDE (slot_1, author_id) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_slot_1 ON review_metrics USING btree (organization_id, slot_1, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_slot_16 ON review_metrics USING btree (organization_id, slot_16, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_slot_256 ON review_metrics USING btree (organization_id, slot_256, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_slot_4 ON review_metrics USING btree (organization_id, slot_4, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_by_slot_64 ON review_metrics USING btree (organization_id, slot_64, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_author ON review_metrics USING btree (organization_id, author_id, mcp_seq) INCLUDE (slot_1, repository_id) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_repository ON review_metrics USING btree (organization_id, repository_id, mcp_seq) INCLUDE (slot_1, author_id) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_1 ON review_metrics USING btree (organization_id, slot_1, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_16 ON review_metrics USING btree (organization_id, slot_16, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_256 ON review_metrics USING btree (organization_id, slot_256, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_4 ON review_metrics USING btree (organization_id, slot_4, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_64 ON review_metrics USING btree (organization_id, slot_64, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_scan ON review_metrics USING btree (slot_16, mcp_seq) WHERE mcp_seq IS NOT NULL;

CREATE INDEX review_metrics_scan ON review_metrics USING btree (slot_16, write_seq) WHERE write_seq IS NOT NULL;

CREATE INDEX review_results_by_age ON review_results USING btree (received_at);

CREATE INDEX review_runs_by_pull_request ON review_runs USING btree (organization_id, repository_id, pull_request, created_at DESC) WHERE pull_request IS NOT NULL;

CREATE INDEX review_runs_by_repository ON review_runs USING btree (organization_id, repository_id, status, created_at DESC, id DESC);

CREATE INDEX review_runs_by_status ON review_runs USING btree (organization_id, status, created_at DESC, id DESC);

CREATE INDEX review_runs_leased ON review_runs USING btree (organization_id) WHERE lease IS NOT NULL;

CREATE INDEX review_runs_newest ON review_runs USING btree (organization_id, created_at DESC, id DESC);

CREATE INDEX review_runs_status_due ON review_runs USING btree (finished_at) WHERE status_due AND finished_at IS NOT NULL;

CREATE INDEX review_runs_unfinished ON review_runs USING btree (created_at) WHERE status = ANY (ARRAY['queued'::text, 'running'::text]);

CREATE INDEX reviewed_pull_requests_answers_due ON reviewed_pull_requests USING btree (answers_due_at) WHERE answers_due_at IS NOT NULL;

CREATE INDEX reviewed_pull_requests_checks_due ON reviewed_pull_requests USING btree (checks_due_at) WHERE checks_due_at IS NOT NULL;

CREATE INDEX reviewed_pull_requests_due ON reviewed_pull_requests USING btree (organization_id, repository_id, number) WHERE due IS NOT NULL;

CREATE INDEX reviewed_pull_requests_evaluation_due ON reviewed_pull_requests USING btree (evaluation_due_at) WHERE evaluation_due_at IS NOT NULL;

CREATE INDEX reviewed_pull_requests_questions_due ON reviewed_pull_requests USING btree (questions_due_at) WHERE questions_due_at IS NOT NULL;

CREATE UNIQUE INDEX roles_by_name ON roles USING btree (organization_id, lower(name));

CREATE UNIQUE INDEX roles_one_default ON roles USING btree (organization_id) WHERE is_default;

CREATE INDEX scim_group_members_by_user ON scim_group_members USING btree (workspace_id, user_id);

CREATE UNIQUE INDEX scim_groups_by_name ON scim_groups USING btree (workspace_id, lower(display_name));

CREATE INDEX scim_users_by_external_id ON scim_users USING btree (workspace_id, external_id) WHERE NOT deleted;

CREATE UNIQUE INDEX scim_users_by_name ON scim_users USING btree (workspace_id, lower(user_name)) WHERE NOT deleted;

CREATE INDEX scim_users_by_time ON scim_users USING btree (workspace_id, created_at, id) WHERE NOT deleted;

CREATE INDEX sealed_secrets_by_key ON sealed_secrets USING btree (key_id);

CREATE INDEX security_findings_by_detection ON security_findings USING btree (organization_id, state, first_detected_at, id) WHERE state IS NOT NULL;

CREATE INDEX security_findings_by_repository ON security_findings USING btree (organization_id, repository_id, state, id) WHERE repository_id IS NOT NULL;

CREATE INDEX security_findings_by_severity ON security_findings USING btree (organization_id, state, array_position(ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'info'::text], severity), id) WHERE state IS NOT NULL;

CREATE INDEX security_findings_by_state ON security_findings USING btree (organization_id, state, id) WHERE state IS NOT NULL;

CREATE UNIQUE INDEX taken_work_turn ON taken_work USING btree (turn);

CREATE INDEX team_members_by_user ON team_members USING btree (organization_id, provider_user_id) INCLUDE (team_id);

CREATE UNIQUE INDEX teams_by_host_id ON teams USING btree (organization_id, host_id) WHERE host_id IS NOT NULL;

CREATE UNIQUE INDEX teams_by_name ON teams USING btree (organization_id, lower(name)) WHERE host_id IS NULL;

CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (organization_id, webhook_id, next_attempt_at) WHERE status = 'waiting'::text;

CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries USING btree (organization_id, webhook_id, subject, "position") WHERE status = 'waiting'::text;

CREATE INDEX webhook_deliveries_newest ON webhook_deliveries USING btree (organization_id, webhook_id, "position" DESC);

CREATE INDEX webhooks_by_former_secret ON webhooks USING btree (former_secret_id) WHERE former_secret_id IS NOT NULL;

CREATE INDEX webhooks_by_secret ON webhooks USING btree (secret_id);

CREATE INDEX workspace_admins_by_person ON workspace_admins USING btree (person_id);

CREATE INDEX workspaces_by_name ON workspaces USING btree (name COLLATE "C", id) WHERE active;

CREATE TRIGGER audit_entries_only_grow BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_entries_stay BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER finding_signals_append_only BEFORE UPDATE ON finding_signals FOR EACH ROW EXECUTE FUNCTION refuse_changed_signals();

CREATE TRIGGER review_findings_count_changed AFTER UPDATE ON review_findings REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_findings();

CREATE TRIGGER review_findings_count_new AFTER INSERT ON review_findings REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_findings();

CREATE TRIGGER review_findings_count_removed AFTER DELETE ON review_findings REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION count_removed_findings();

CREATE TRIGGER review_run_findings_count_judged AFTER UPDATE ON review_run_findings REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_judged_findings();

comment on column api_keys.value_hash is 'SHA-256 of the value; the value itself is shown once and never stored.';

comment on column comment_sum_changes.counts is 'What is added to each column of counts, in their order.';

comment on column connections.former_webhook_secret_id is 'No longer used; kept for nodes of the version before.';

comment on column connections.untried is 'Changed while paused, so that the host has yet to be asked.';

comment on column dashboard_accounts.password_hash is 'Argon2id; null for people who only use single sign-on.';

comment on column dashboard_accounts.installation_admin is 'Sees every workspace and organization as an Admin.';

comment on column dashboard_invitations.email is 'Null: the link of the first admin, who says the address.';

comment on column dashboard_known_places.place_hash is 'SHA-256 of the value in the browser''s cookie, or of the network.';

comment on column dashboard_sessions.id_hash is 'SHA-256 of what the cookie holds.';

comment on column early_reports.subject is 'finding:<id> for an outcome, mcp for MCP usage.';

comment on column learnings.content_hash is 'SHA-256 of the redacted text: one record per repository and content.';

comment on column learnings.author_id is 'Account at the Git provider; for a person without one in the organization, the id of the person.';

comment on column learnings.pull_requests is 'The open pull requests that a private one belongs to.';

comment on column learnings.embedder_id is 'Whose vectors of the present text are in learning_vectors; null: none yet.';

comment on column learnings.index_due_at is 'From when on the repair job may embed it, if the vectors are missing or of another embedder.';

comment on column learnings.index_version is 'Version of the repository''s index at the last change that retrieval must hear of.';

comment on column members.last_active_at is 'When the person last opened or updated a pull request; decides which idle seat is reclaimed.';

comment on column members.seat_assigned_at is 'Since when the seat is held; decides whether it is idle while the person was never active.';

comment on column members.suspended is 'Would be active, but the identity provider has deactivated the person.';

comment on column members.role_by_group is 'The role is that of a group of the identity provider; false: given in Postil or by the operator.';

comment on column metrics_storage.moving_from is 'Where rows may still lie that are being moved to storage_id; null when all are there.';

comment on column organization_comment_sums.span is 'Day number divided by the size of the span, plus 2^22 for each smaller size.';

comment on table people is 'One row per human; accounts in organizations are linked to it by email address.';

comment on column repositories.readers_restricted is 'False: every member reads it. True: only those in repository_readers.';

comment on column repository_comment_sums.span is 'Day number divided by the size of the span, plus 2^22 for each smaller size.';

comment on column review_metrics.entry is 'The entry with its comments as the JSON text that is sent, without a head while the pull request is open; null without comments. The text of a comment is never stored.';

comment on column review_metrics.entry_head is 'The entry up to its comments or servers, as JSON text; null while the pull request is open.';

comment on column review_metrics.slot_1 is 'Day of the merge (else the close) times 4, plus the class of the entry; the other slots alike with longer spans.';

comment on column review_metrics.finding_facts is 'The id of each comment''s finding with the time of its verdict, and verdicts of findings that are not listed.';

comment on table review_metrics_unplaced is 'Empty, except after a restore: rows of a storage that is not made yet.';

comment on table roles is 'Custom roles; the built-in ones live in the code. Permissions read resource:access.';

comment on column scim_users.active is 'False: none of the person''s accounts in the workspace may be active, whatever a Git host or document says.';

comment on column scim_users.deleted is 'No longer shown; still keeps the person out until the provider creates it again.';

comment on column scim_users.attributes is 'What the provider sent besides, returned as it came.';

comment on table sealed_secrets is 'AES-256-GCM with a key that is not in the database; bound to the id and the purpose of its row.';

comment on table secrets is 'Values made once and shared by every server node, such as the key that seals cursors.';

comment on table security_findings is 'One row per finding: what its newest detection says, and its dismissal, which may come first.';

comment on column security_findings.suppression_reason is 'The newest detection was marked as suppressed by its scanner.';

comment on column security_findings.fixed_at is 'The earliest scan after the newest detection that looked at its file and did not find it.';

comment on column security_findings.tool is 'Empty: from before tools were told apart; the first tool that reports the finding takes it over.';

comment on column security_findings.alike is 'The same for findings that only their place tells apart. Null: not known yet.';

comment on column security_findings.origin is 'What the SARIF log of the newest detection says besides: fingerprints, level, score. Null: reported natively.';

comment on table security_rules is 'How the newest SARIF log of a tool describes the rules of its findings.';

comment on table security_scans is 'What each scan looked at, so that one that arrives late finds out which later scans no longer saw its findings.';

comment on column security_scans.directories is 'Null: the whole repository.';

comment on column security_scans.tool is '*: from before tools were told apart; it covers the findings of all of them.';

comment on column security_scans.unread is 'Rule and file, as far as known, of results that could not be read: the scan says nothing about such findings.';

comment on table security_tools is 'How the newest SARIF log of a tool describes the tool itself.';

comment on column webhooks.former_secret_id is 'No longer used; kept for nodes of the version before.';

comment on column webhooks.former_secret_until is 'No longer used; kept for nodes of the version before.';

comment on column workspace_admins.by_group is 'Through a group of the identity provider; false: named by the operator.';

comment on table write_clock is 'Locked by whoever takes positions of the write order, until the transaction ends; its one row is rarely changed.';
