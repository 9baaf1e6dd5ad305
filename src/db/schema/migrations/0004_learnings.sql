-- Learnings: guidance for reviews, each bound to a repository. The canonical record comes first, the index follows it.
CREATE TABLE learnings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  repository_id uuid NOT NULL,
  learning text NOT NULL,
  content_hash bytea NOT NULL,
  file text,
  source_url text,
  author_id text NOT NULL,
  author_person_id uuid REFERENCES people,
  origin text NOT NULL CHECK (origin IN ('api', 'chat', 'pipeline')),
  visibility text NOT NULL CHECK (visibility IN ('private', 'shared')),
  pull_requests integer[] NOT NULL,
  approval text NOT NULL CHECK (approval IN ('pending', 'approved', 'disapproved')),
  approval_deadline timestamptz,
  redactor_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  usage_count bigint NOT NULL,
  last_used_at timestamptz,
  embedder_id text,
  index_due_at timestamptz NOT NULL,
  index_version bigint NOT NULL,
  words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english', learning)) STORED,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, repository_id, content_hash),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories,
  CHECK ((visibility = 'private') = (cardinality(pull_requests) > 0)),
  CHECK ((approval = 'pending') = (approval_deadline IS NOT NULL))
) WITH (fillfactor = 90);
CREATE INDEX learnings_by_time ON learnings (organization_id, created_at, id);
CREATE INDEX learnings_by_repository_and_time ON learnings (organization_id, repository_id, created_at, id);
CREATE INDEX learnings_by_index_version ON learnings (organization_id, repository_id, index_version, id);
CREATE INDEX learnings_private ON learnings (organization_id, repository_id) WHERE visibility = 'private';
CREATE INDEX learnings_pending ON learnings (approval_deadline, id) WHERE approval = 'pending';
CREATE INDEX learnings_by_embedder ON learnings (embedder_id, id);
COMMENT ON COLUMN learnings.content_hash IS 'SHA-256 of the redacted text: one record per repository and content.';
COMMENT ON COLUMN learnings.author_id IS 'Account at the Git provider; for a person without one in the organization, the id of the person.';
COMMENT ON COLUMN learnings.pull_requests IS 'The open pull requests that a private one belongs to.';
COMMENT ON COLUMN learnings.embedder_id IS 'Whose vectors of the present text are in learning_vectors; null: none yet.';
COMMENT ON COLUMN learnings.index_due_at IS 'From when on the repair job may embed it, if the vectors are missing or of another embedder.';
COMMENT ON COLUMN learnings.index_version IS 'Version of the repository''s index at the last change that retrieval must hear of.';

CREATE TABLE learning_vectors (
  organization_id uuid NOT NULL,
  learning_id uuid NOT NULL,
  vectors bytea NOT NULL,
  PRIMARY KEY (organization_id, learning_id),
  FOREIGN KEY (organization_id, learning_id) REFERENCES learnings ON DELETE CASCADE
);
ALTER TABLE learning_vectors ALTER COLUMN vectors SET STORAGE EXTERNAL;

-- Writers of a repository's Learnings take its row first, so its versions become visible in their order.
CREATE TABLE learning_index_versions (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (organization_id, repository_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories
);

-- Uses that were reported before their Learning.
CREATE TABLE learning_uses_waiting (
  organization_id uuid NOT NULL REFERENCES organizations,
  learning_id uuid NOT NULL,
  uses bigint NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, learning_id)
);
