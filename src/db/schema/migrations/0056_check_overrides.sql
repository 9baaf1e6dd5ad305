-- Checks that an admin overrode for one version of a pull request, and why. They are kept, so that they can be listed and counted.
CREATE TABLE check_overrides (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  head_revision text NOT NULL,
  check_name text NOT NULL,
  -- The account at the Git provider.
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  reason text NOT NULL,
  comment_url text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the next commit was seen.
  ended_at timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, repository_id, number)
    REFERENCES reviewed_pull_requests (organization_id, repository_id, number) ON DELETE CASCADE
);
CREATE UNIQUE INDEX check_overrides_in_force ON check_overrides (organization_id, repository_id, number, check_name) WHERE ended_at IS NULL;
CREATE INDEX check_overrides_by_time ON check_overrides (organization_id, created_at, id);

-- When the newest commit was first seen; null where it was there before the pull request was known.
ALTER TABLE reviewed_pull_requests ADD COLUMN head_seen_at timestamptz;
