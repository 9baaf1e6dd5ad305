-- The schema after all migrations, written by `npm run generate`.

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

create table instances (
  id uuid not null,
  slug text not null,
  provider text not null,
  url text not null,
  created_at timestamp with time zone not null,
  constraint instances_pkey PRIMARY KEY (id),
  constraint instances_slug_key UNIQUE (slug)
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
  constraint members_pkey PRIMARY KEY (organization_id, provider_user_id),
  constraint members_check CHECK ((role IS NULL) <> (custom_role_id IS NULL)),
  constraint members_role_check CHECK (role = ANY (ARRAY['cr_admin'::text, 'cr_member'::text, 'cr_billing_admin'::text])),
  constraint members_organization_id_custom_role_id_fkey FOREIGN KEY (organization_id, custom_role_id) REFERENCES roles(organization_id, id),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);

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

create table people (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  constraint people_pkey PRIMARY KEY (id),
  constraint people_email_key UNIQUE (email),
  constraint people_email_check CHECK (email = lower(email))
);

create table pull_requests (
  organization_id uuid not null,
  repository_id uuid not null,
  number integer not null,
  url text not null,
  state text not null,
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
  event_time timestamp with time zone not null,
  constraint pull_requests_pkey PRIMARY KEY (organization_id, repository_id, number),
  constraint pull_requests_state_check CHECK (state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text])),
  constraint pull_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint pull_requests_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id)
);

create unlogged table rate_limit_windows (
  bucket text not null,
  admitted timestamp with time zone[] not null,
  last_admitted boolean not null,
  constraint rate_limit_windows_pkey PRIMARY KEY (bucket)
);

create table received_events (
  digest uuid not null,
  received_at timestamp with time zone not null,
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

create table repository_readers (
  organization_id uuid not null,
  repository_id uuid not null,
  provider_user_id text not null,
  constraint repository_readers_pkey PRIMARY KEY (organization_id, repository_id, provider_user_id),
  constraint repository_readers_organization_id_repository_id_fkey FOREIGN KEY (organization_id, repository_id) REFERENCES repositories(organization_id, id) ON DELETE CASCADE
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
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table secrets (
  name text not null,
  value bytea not null,
  constraint secrets_pkey PRIMARY KEY (name)
);

create table workspace_admins (
  workspace_id uuid not null,
  person_id uuid not null,
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
  value bigint not null,
  constraint write_clock_pkey PRIMARY KEY (id),
  constraint write_clock_id_check CHECK (id)
);

CREATE INDEX api_keys_newest ON api_keys USING btree (created_at, id);

CREATE INDEX audit_entries_by_time ON audit_entries USING btree (chain_id, created_at DESC, "position" DESC);

CREATE INDEX members_by_person ON members USING btree (person_id) WHERE person_id IS NOT NULL;

CREATE INDEX organizations_by_workspace ON organizations USING btree (workspace_id, name COLLATE "C", id) WHERE workspace_id IS NOT NULL;

CREATE INDEX repositories_by_name ON repositories USING btree (organization_id, name COLLATE "C", id) WHERE active;

CREATE UNIQUE INDEX roles_by_name ON roles USING btree (organization_id, lower(name));

CREATE UNIQUE INDEX roles_one_default ON roles USING btree (organization_id) WHERE is_default;

comment on column api_keys.value_hash is 'SHA-256 of the value; the value itself is shown once and never stored.';

comment on column members.last_active_at is 'When the person last opened or updated a pull request; decides which idle seat is reclaimed.';

comment on table people is 'One row per human; accounts in organizations are linked to it by email address.';

comment on column repositories.readers_restricted is 'False: every member reads it. True: only those in repository_readers.';

comment on table roles is 'Custom roles; the built-in ones live in the code. Permissions read resource:access.';

comment on table secrets is 'Values made once and shared by every server node, such as the key that seals cursors.';
