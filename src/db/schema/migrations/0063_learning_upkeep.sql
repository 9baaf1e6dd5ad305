-- A Learning that is taken out of use stays: it is disapproved, and this says that it once was in use.
ALTER TABLE learnings
  ADD COLUMN retired_at timestamptz,
  -- The one that stayed when two were merged; it counts the uses and comments of both.
  ADD COLUMN merged_into uuid,
  -- Since when the file or folder it is about has been missing from the default branch.
  ADD COLUMN file_missing_since timestamptz;

-- Up to which version of the index Learnings have been compared with each other.
ALTER TABLE learning_index_versions ADD COLUMN compared_version bigint NOT NULL DEFAULT 0;

-- Two Learnings of a repository that say nearly the same, or the opposite; the one with the smaller id comes first.
CREATE TABLE learning_likenesses (
  organization_id uuid NOT NULL,
  learning_id uuid NOT NULL,
  other_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('duplicate', 'conflict')),
  -- The cosine of their vectors.
  likeness real NOT NULL,
  -- In a conflict, the word that one of them is against and the other is not, and the id of the one that is against it.
  word text,
  against_id uuid,
  -- When somebody said that both are right.
  dismissed_at timestamptz,
  PRIMARY KEY (organization_id, learning_id, other_id),
  FOREIGN KEY (organization_id, learning_id) REFERENCES learnings (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, other_id) REFERENCES learnings (organization_id, id) ON DELETE CASCADE,
  CHECK (learning_id < other_id)
);
CREATE INDEX learning_likenesses_by_other ON learning_likenesses (organization_id, other_id);
