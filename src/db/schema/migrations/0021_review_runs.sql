-- Reviews: what was asked for, how it stands, and what came of it (ADR 0084).
CREATE TABLE review_runs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  repository_id uuid NOT NULL,
  -- Null for a diff that was sent to the API.
  pull_request integer,
  pr_url text,
  trigger text NOT NULL CHECK (trigger IN ('opened', 'ready', 'reopened', 'push', 'comment', 'api')),
  mode text NOT NULL CHECK (mode IN ('incremental', 'full')),
  status text NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'degraded', 'failed', 'skipped', 'superseded', 'cancelled')),
  reason text,
  base_revision text,
  head_revision text,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- Who asked for it.
  actor_id text,
  actor_name text NOT NULL,
  api_key_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  -- The attempt that is under way; only its holder may store results, and it is over when it is not renewed.
  lease uuid,
  leased_until timestamptz,
  coverage jsonb NOT NULL DEFAULT '[]',
  summary text,
  notes text[] NOT NULL DEFAULT '{}',
  model text,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_usd double precision NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  estimated_complexity smallint,
  estimated_review_minutes integer,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories,
  CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL))
);
-- Every list is read newest first, without or with a repository or a status.
CREATE INDEX review_runs_newest ON review_runs (organization_id, created_at DESC, id DESC);
CREATE INDEX review_runs_by_status ON review_runs (organization_id, status, created_at DESC, id DESC);
CREATE INDEX review_runs_by_repository ON review_runs (organization_id, repository_id, status, created_at DESC, id DESC);
CREATE INDEX review_runs_by_pull_request ON review_runs (organization_id, repository_id, pull_request, created_at DESC)
  WHERE pull_request IS NOT NULL;
CREATE INDEX review_runs_unfinished ON review_runs (created_at) WHERE status IN ('queued', 'running');

-- What an unfinished run works on and has worked out so far; deleted in the transaction that ends the run.
CREATE TABLE review_run_work (
  organization_id uuid NOT NULL,
  run_id uuid NOT NULL,
  -- Null for pull requests, which are read from their host.
  diff text,
  files jsonb,
  bytes integer NOT NULL,
  -- Results by the name of the stage, so that another attempt continues after them.
  stages jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, run_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES review_runs ON DELETE CASCADE
);

CREATE TABLE review_run_findings (
  organization_id uuid NOT NULL,
  run_id uuid NOT NULL,
  -- The worst first.
  position integer NOT NULL,
  finding_id text NOT NULL,
  path text NOT NULL,
  side text NOT NULL CHECK (side IN ('new', 'old')),
  start_line integer,
  end_line integer,
  severity text NOT NULL CHECK (severity IN ('critical', 'major', 'minor', 'trivial', 'info')),
  category text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  suggestion text,
  source_kind text NOT NULL CHECK (source_kind IN ('rule', 'model')),
  source_name text NOT NULL,
  learning_ids text[] NOT NULL,
  quote text NOT NULL,
  symbol text,
  in_diff boolean NOT NULL,
  url text,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'outdated', 'resolved', 'dismissed')),
  accepted boolean,
  PRIMARY KEY (organization_id, run_id, position),
  UNIQUE (organization_id, run_id, finding_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES review_runs ON DELETE CASCADE
);
