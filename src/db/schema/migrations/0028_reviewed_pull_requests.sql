-- Pull requests that reviews follow: as they were last read from their host, and what was last reviewed of them.
CREATE TABLE reviewed_pull_requests (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  url text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  is_draft boolean NOT NULL,
  head_revision text NOT NULL,
  -- What decides whether it is reviewed: author, labels, branches.
  facts jsonb NOT NULL,
  -- Of two readings the later one is newer.
  read_at timestamptz NOT NULL,
  -- Why a run is due; null once it was started, or decided against.
  due text CHECK (due IN ('opened', 'ready', 'reopened', 'push')),
  -- The run whose result stands, and what it looked at: `[{path, lineage, patch}]`.
  reviewed_run_id uuid,
  reviewed_head text,
  reviewed_base text,
  reviewed_patch text,
  reviewed_files jsonb NOT NULL DEFAULT '[]',
  -- The one comment that every run edits.
  summary_comment_id text,
  PRIMARY KEY (organization_id, repository_id, number),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
CREATE INDEX reviewed_pull_requests_due ON reviewed_pull_requests (organization_id, repository_id, number) WHERE due IS NOT NULL;

-- Findings of pull requests, each with one identity over all runs (ADR 0086).
CREATE TABLE review_findings (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  pull_request integer NOT NULL,
  finding_id text NOT NULL,
  -- The rule, or for a model the category.
  kind text NOT NULL,
  -- The path under which the file was first known in this pull request.
  lineage text NOT NULL,
  -- The lines it is about, redacted; the anchor that outlives line numbers.
  quote text NOT NULL,
  symbol text,
  -- Where it was in `head_revision`, the last head in which it was seen.
  path text NOT NULL,
  side text NOT NULL CHECK (side IN ('new', 'old')),
  start_line integer,
  end_line integer,
  head_revision text NOT NULL,
  in_diff boolean NOT NULL,
  severity text NOT NULL CHECK (severity IN ('critical', 'major', 'minor', 'trivial', 'info')),
  category text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  suggestion text,
  source_kind text NOT NULL CHECK (source_kind IN ('rule', 'model')),
  source_name text NOT NULL,
  learning_ids text[] NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'outdated', 'resolved', 'dismissed')),
  accepted boolean,
  -- Where it is posted; null where it is only in the summary.
  comment_id text,
  thread_id text,
  url text,
  -- Where it was posted, for outcomes: the head and lines that its readers saw.
  posted_revision text,
  posted_path text,
  posted_start_line integer,
  posted_end_line integer,
  posted_at timestamptz,
  first_run_id uuid NOT NULL,
  last_run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, pull_request, finding_id),
  FOREIGN KEY (organization_id, repository_id, pull_request) REFERENCES reviewed_pull_requests ON DELETE CASCADE
);

-- An attempt at a run that was stopped keeps its lease until it has really ended.
CREATE INDEX review_runs_leased ON review_runs (organization_id) WHERE lease IS NOT NULL;
