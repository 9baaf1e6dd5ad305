-- The platform: who the tenants are, who belongs to them, which keys act for them.
-- Every tenant table's key starts with the organization, so that it can be sharded by it.

CREATE TABLE secrets (
  name text PRIMARY KEY,
  value bytea NOT NULL
);
COMMENT ON TABLE secrets IS 'Values made once and shared by every server node, such as the key that seals cursors.';

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE people (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE people IS 'One row per human; accounts in organizations are linked to it by email address.';

CREATE TABLE workspace_admins (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  person_id uuid NOT NULL REFERENCES people,
  PRIMARY KEY (workspace_id, person_id)
);

CREATE TABLE instances (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  provider text NOT NULL,
  url text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'bitbucket', 'azure_devops', 'gitea')),
  provider_organization_id text NOT NULL,
  instance_id uuid REFERENCES instances,
  workspace_id uuid REFERENCES workspaces,
  name text NOT NULL,
  active boolean NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'pro', 'enterprise')),
  subscription text NOT NULL CHECK (subscription IN ('active', 'none')),
  seats_purchased integer NOT NULL CHECK (seats_purchased >= 0),
  seat_assignment_mode text NOT NULL CHECK (seat_assignment_mode IN ('automatic', 'manual')),
  metrics text NOT NULL CHECK (metrics IN ('available', 'unavailable')),
  metrics_isolated boolean NOT NULL,
  approval_delay_days integer NOT NULL CHECK (approval_delay_days BETWEEN 0 AND 30),
  created_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (instance_id, provider, provider_organization_id)
);
CREATE INDEX organizations_by_workspace ON organizations (workspace_id, name COLLATE "C", id) WHERE workspace_id IS NOT NULL;

CREATE TABLE repositories (
  organization_id uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  provider_repository_id text NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  private boolean NOT NULL,
  approval_delay_days integer CHECK (approval_delay_days BETWEEN 0 AND 30),
  readers_restricted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, provider_repository_id)
);
CREATE INDEX repositories_by_name ON repositories (organization_id, name COLLATE "C", id) WHERE active;
COMMENT ON COLUMN repositories.readers_restricted IS 'False: every member reads it. True: only those in repository_readers.';

CREATE TABLE repository_readers (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  provider_user_id text NOT NULL,
  PRIMARY KEY (organization_id, repository_id, provider_user_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);

CREATE TABLE roles (
  organization_id uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  is_default boolean NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX roles_by_name ON roles (organization_id, lower(name));
CREATE UNIQUE INDEX roles_one_default ON roles (organization_id) WHERE is_default;
COMMENT ON TABLE roles IS 'Custom roles; the built-in ones live in the code. Permissions read resource:access.';

CREATE TABLE members (
  organization_id uuid NOT NULL REFERENCES organizations,
  provider_user_id text NOT NULL,
  person_id uuid REFERENCES people,
  username text NOT NULL,
  role text CHECK (role IN ('cr_admin', 'cr_member', 'cr_billing_admin')),
  custom_role_id uuid,
  seat boolean NOT NULL,
  bot boolean NOT NULL,
  active boolean NOT NULL,
  last_active_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider_user_id),
  FOREIGN KEY (organization_id, custom_role_id) REFERENCES roles,
  CHECK ((role IS NULL) <> (custom_role_id IS NULL))
);
CREATE INDEX members_by_person ON members (person_id) WHERE person_id IS NOT NULL;
COMMENT ON COLUMN members.last_active_at IS 'When the person last opened or updated a pull request; decides which idle seat is reclaimed.';

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('organization', 'user', 'workspace', 'instance', 'legacy', 'agentic')),
  name text NOT NULL,
  value_hash bytea NOT NULL UNIQUE,
  organization_id uuid REFERENCES organizations,
  workspace_id uuid REFERENCES workspaces,
  instance_id uuid REFERENCES instances,
  owner_user_id text,
  owner_person_id uuid REFERENCES people,
  every_organization boolean NOT NULL,
  home_organization_id uuid REFERENCES organizations,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (num_nonnulls(organization_id, workspace_id, instance_id) = 1),
  CHECK (kind <> 'workspace' OR (expires_at IS NOT NULL AND owner_person_id IS NOT NULL))
);
CREATE INDEX api_keys_newest ON api_keys (created_at, id);
COMMENT ON COLUMN api_keys.value_hash IS 'SHA-256 of the value; the value itself is shown once and never stored.';

CREATE TABLE api_key_organizations (
  api_key_id uuid NOT NULL REFERENCES api_keys,
  organization_id uuid NOT NULL REFERENCES organizations,
  PRIMARY KEY (api_key_id, organization_id)
);

-- Limits: the moments at which requests were admitted in the last minute. Losing them in a crash costs nothing.
CREATE UNLOGGED TABLE rate_limit_windows (
  bucket text PRIMARY KEY,
  admitted timestamptz[] NOT NULL,
  last_admitted boolean NOT NULL
);

-- Audit: one hash chain per organization, per workspace, and one for the platform.
CREATE TABLE audit_chains (
  chain_id uuid PRIMARY KEY,
  last_position bigint NOT NULL,
  last_hash bytea NOT NULL
);

CREATE TABLE audit_entries (
  chain_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  organization_id uuid REFERENCES organizations,
  workspace_id uuid REFERENCES workspaces,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  resource_summary text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'system')),
  actor_id text,
  actor_name text NOT NULL,
  actor_subtitle text,
  actor_is_bot boolean NOT NULL,
  metadata jsonb NOT NULL,
  ip_address text,
  request_id text,
  created_at timestamptz NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (chain_id, position)
);
CREATE INDEX audit_entries_by_time ON audit_entries (chain_id, created_at DESC, position DESC);

-- Intake: an event is known by a digest of its source and id.
CREATE TABLE received_events (
  digest uuid PRIMARY KEY,
  received_at timestamptz NOT NULL
);

-- The write clock: one row, advanced as the last statement of a writing transaction (see ADR 0005).
CREATE TABLE write_clock (
  id boolean PRIMARY KEY CHECK (id),
  value bigint NOT NULL
);
INSERT INTO write_clock (id, value) VALUES (true, 0);
