-- Requests to commit what a review safely suggests: by a comment on the pull request, or for a run. One request gives one commit.
CREATE TABLE review_fixes (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  -- The comment, or `run/` and the run.
  request text NOT NULL,
  run_id uuid NOT NULL,
  head_revision text NOT NULL,
  actor jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'done', 'refused')),
  -- Known before it is pushed, so that whoever comes back after a crash recognizes it.
  commit_revision text,
  finding_ids text[] NOT NULL DEFAULT '{}',
  -- How many suggestions were left to people.
  left_over integer NOT NULL DEFAULT 0,
  reason text,
  requested_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (organization_id, repository_id, number, request),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX review_fixes_by_run ON review_fixes (organization_id, run_id);
