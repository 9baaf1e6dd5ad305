-- Pull requests as the newest event told them; several capabilities ask for their state.
CREATE TABLE pull_requests (
  organization_id uuid NOT NULL REFERENCES organizations,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  url text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  author_id text,
  author_username text,
  created_at timestamptz NOT NULL,
  ready_for_review_at timestamptz,
  first_human_review_at timestamptz,
  last_commit_at timestamptz,
  merged_at timestamptz,
  closed_at timestamptz,
  review_iterations integer,
  estimated_complexity smallint,
  estimated_review_minutes double precision,
  event_time timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, number),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories
);
