-- Coverage reports of tests, for the check of the lines that a change adds; forgotten after a month.
CREATE TABLE coverage_reports (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  head_revision text NOT NULL,
  -- Of what was sent: the same again changes nothing.
  digest text NOT NULL,
  format text NOT NULL,
  -- Compressed, and read in review processes only.
  report bytea NOT NULL,
  bytes integer NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, head_revision, digest),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX coverage_reports_by_age ON coverage_reports (received_at);
