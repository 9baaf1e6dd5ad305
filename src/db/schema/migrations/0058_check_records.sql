-- What became of each check on each pull request: how often it fails, and how long it takes until it holds.
CREATE TABLE check_records (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  -- `postil/checks` for all checks of the pull request together.
  check_name text NOT NULL,
  first_at timestamptz NOT NULL,
  -- How often it began to fail, and when for the first time.
  failures integer NOT NULL,
  failed_at timestamptz,
  -- Since when it holds; null while it does not.
  held_at timestamptz,
  PRIMARY KEY (organization_id, repository_id, number, check_name),
  FOREIGN KEY (organization_id, repository_id, number)
    REFERENCES reviewed_pull_requests (organization_id, repository_id, number) ON DELETE CASCADE
);
CREATE INDEX check_records_by_time ON check_records (organization_id, first_at)
  INCLUDE (check_name, repository_id, failures, failed_at, held_at);

-- The checks that the file of a repository asks for, by the branches that pull requests are merged into.
CREATE TABLE branch_checks (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  branch text NOT NULL,
  -- The commit whose file was read, and the name of the file; null where there is none or it is faulty.
  revision text NOT NULL,
  file text,
  checks jsonb NOT NULL,
  notes text[] NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, branch),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories (organization_id, id) ON DELETE CASCADE
);
