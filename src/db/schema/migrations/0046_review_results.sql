-- What other analyzers reported about a version of a repository, for the runs that review it; forgotten after a day.
CREATE TABLE review_results (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  head_revision text NOT NULL,
  -- Of what was reported: the same again changes nothing.
  digest text NOT NULL,
  tool text NOT NULL,
  -- Compressed, and read in review processes only.
  results bytea NOT NULL,
  bytes integer NOT NULL,
  -- The run that takes them, which may not have been started yet.
  run_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, head_revision, digest),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX review_results_by_age ON review_results (received_at);
