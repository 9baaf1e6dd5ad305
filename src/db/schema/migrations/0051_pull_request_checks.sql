-- Checks before the merge: which pull requests are to be checked again, and what the checks said about each of their heads.
ALTER TABLE reviewed_pull_requests ADD COLUMN checks_due_at timestamptz;
CREATE TABLE pull_request_checks (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  head_revision text NOT NULL,
  -- A hash of everything that the verdicts rest on and that is known without asking the host.
  basis text NOT NULL,
  -- Name, verdict, mode and text of each; empty where no checks are configured.
  verdicts jsonb NOT NULL,
  -- The status as the host shows it; null where it shows none.
  shown jsonb,
  evaluated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, number, head_revision),
  FOREIGN KEY (organization_id, repository_id, number) REFERENCES reviewed_pull_requests (organization_id, repository_id, number)
    ON DELETE CASCADE
);
