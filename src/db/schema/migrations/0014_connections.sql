-- A connection is one account of Postil on one Git host.
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'gitea')),
  url text NOT NULL,
  instance_id uuid REFERENCES instances,
  account_id text NOT NULL,
  account_username text NOT NULL,
  -- Null: all that the account sees.
  wanted_organizations text[],
  credentials_id uuid NOT NULL REFERENCES sealed_secrets,
  webhook_secret_id uuid NOT NULL REFERENCES sealed_secrets,
  former_webhook_secret_id uuid REFERENCES sealed_secrets,
  former_webhook_secret_until timestamptz,
  review text NOT NULL CHECK (review IN ('on', 'off')),
  defaults jsonb NOT NULL,
  paused boolean NOT NULL,
  -- Null: the last call went well.
  failing_since timestamptz,
  last_error text,
  last_error_at timestamptz,
  last_read_at timestamptz,
  last_delivery_at timestamptz,
  synced_at timestamptz,
  swept_at timestamptz,
  -- Null: none was asked for. How far it has come is in connection_repositories.
  backfill_since date,
  created_at timestamptz NOT NULL
);
CREATE INDEX connections_newest ON connections (created_at DESC, id DESC);

-- Which organizations a connection serves, under the names that the host calls them by.
CREATE TABLE connection_organizations (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations,
  host_name text NOT NULL,
  webhook_instructions text,
  PRIMARY KEY (connection_id, organization_id)
);
CREATE INDEX connection_organizations_by_organization ON connection_organizations (organization_id);

-- How the host calls the repositories of a connection; their ids are in `repositories`.
CREATE TABLE connection_repositories (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  full_name text NOT NULL,
  -- How far a backfill has come in this repository.
  backfill_state text CHECK (backfill_state IN ('waiting', 'running', 'done', 'failed')),
  backfill_done integer NOT NULL DEFAULT 0,
  backfill_total integer NOT NULL DEFAULT 0,
  PRIMARY KEY (connection_id, organization_id, repository_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);

-- Deliveries are hints: what counts of one is where to look. Its body is not kept.
CREATE TABLE hook_deliveries (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  id uuid NOT NULL,
  delivery_id text NOT NULL,
  event text NOT NULL,
  received_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'ignored', 'failed')),
  -- What is to be read: `pull_request/<repository>/<number>` or `inventory`; null for ignored ones.
  subject text,
  attempts integer NOT NULL,
  error text,
  dispatched_at timestamptz,
  PRIMARY KEY (connection_id, id),
  UNIQUE (connection_id, delivery_id)
);
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (connection_id, subject, id) WHERE status = 'waiting';
CREATE INDEX hook_deliveries_by_age ON hook_deliveries (received_at) WHERE status <> 'waiting';

-- What was last read of a pull request at its host, so that only changes become events.
CREATE TABLE host_pull_requests (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  fingerprint bytea NOT NULL,
  host_updated_at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, number),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
CREATE INDEX host_pull_requests_open ON host_pull_requests (organization_id, host_updated_at) WHERE state = 'open';

-- Event sources: senders with narrow keys, so that no build job needs the operator token.
CREATE TABLE event_sources (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  value_hash bytea NOT NULL UNIQUE,
  types text[] NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE TABLE event_source_organizations (
  event_source_id uuid NOT NULL REFERENCES event_sources ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations,
  PRIMARY KEY (event_source_id, organization_id)
);
