-- An entry of the list of review comments is kept whole, and with its position near the front of the row: then the database
-- sends it as it lies there, instead of looking for its parts and putting them together for every page (ADR 0010).
ALTER TABLE review_metrics RENAME TO former_review_metrics;
ALTER TABLE review_metrics_shared RENAME TO former_review_metrics_shared;
ALTER TABLE review_metrics_unplaced RENAME TO former_review_metrics_unplaced;

CREATE TABLE review_metrics (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  storage_id integer NOT NULL,
  write_seq bigint,
  entry text,
  entry_head text,
  mcp_seq bigint,
  mcp_servers text,
  slot_1 integer,
  slot_4 integer,
  slot_16 integer,
  slot_64 integer,
  slot_256 integer,
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
  findings_time timestamptz,
  finding_facts text,
  comment_counts text,
  mcp_time timestamptz
) PARTITION BY LIST (storage_id);

CREATE TABLE review_metrics_shared PARTITION OF review_metrics FOR VALUES IN (0)
  WITH (fillfactor = 80, toast_tuple_target = 8160);
CREATE TABLE review_metrics_unplaced PARTITION OF review_metrics DEFAULT
  WITH (fillfactor = 80, toast_tuple_target = 8160);

DO $$
DECLARE
  id integer;
BEGIN
  FOR id IN
    SELECT isolated_id FROM metrics_storage WHERE to_regclass('review_metrics_isolated_' || isolated_id) IS NOT NULL
  LOOP
    EXECUTE format('ALTER TABLE review_metrics_isolated_%1$s RENAME TO former_review_metrics_isolated_%1$s', id);
    EXECUTE format('CREATE TABLE review_metrics_isolated_%1$s PARTITION OF review_metrics FOR VALUES IN (%1$s)
      WITH (fillfactor = 80, toast_tuple_target = 8160)', id);
  END LOOP;
END $$;

INSERT INTO review_metrics (organization_id, repository_id, number, storage_id, write_seq, entry, entry_head, mcp_seq,
  mcp_servers, slot_1, slot_4, slot_16, slot_64, slot_256, author_id, author_username, created_at, ready_for_review_at,
  first_human_review_at, last_commit_at, merged_at, closed_at, review_iterations, estimated_complexity,
  estimated_review_minutes, findings_time, finding_facts, comment_counts, mcp_time)
SELECT organization_id, repository_id, number, storage_id, write_seq,
  coalesce(entry_head, '{') || '"coderabbit_comments":' || comments || '}', entry_head, mcp_seq,
  mcp_servers, slot_1, slot_4, slot_16, slot_64, slot_256, author_id, author_username, created_at, ready_for_review_at,
  first_human_review_at, last_commit_at, merged_at, closed_at, review_iterations, estimated_complexity,
  estimated_review_minutes, findings_time, finding_facts, comment_counts, mcp_time
FROM former_review_metrics;
DROP TABLE former_review_metrics;

ALTER TABLE review_metrics ADD PRIMARY KEY (organization_id, repository_id, number, storage_id);
CREATE INDEX review_metrics_by_slot_1 ON review_metrics (organization_id, slot_1, write_seq) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_slot_4 ON review_metrics (organization_id, slot_4, write_seq) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_slot_16 ON review_metrics (organization_id, slot_16, write_seq) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_slot_64 ON review_metrics (organization_id, slot_64, write_seq) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_slot_256 ON review_metrics (organization_id, slot_256, write_seq) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_repository ON review_metrics (organization_id, repository_id, write_seq) INCLUDE (slot_1, author_id) WHERE write_seq IS NOT NULL;
CREATE INDEX review_metrics_by_author ON review_metrics (organization_id, author_id, write_seq) INCLUDE (slot_1, repository_id) WHERE write_seq IS NOT NULL;

CREATE INDEX review_metrics_mcp_by_slot_1 ON review_metrics (organization_id, slot_1, mcp_seq) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_slot_4 ON review_metrics (organization_id, slot_4, mcp_seq) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_slot_16 ON review_metrics (organization_id, slot_16, mcp_seq) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_slot_64 ON review_metrics (organization_id, slot_64, mcp_seq) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_slot_256 ON review_metrics (organization_id, slot_256, mcp_seq) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_repository ON review_metrics (organization_id, repository_id, mcp_seq) INCLUDE (slot_1, author_id) WHERE mcp_seq IS NOT NULL;
CREATE INDEX review_metrics_mcp_by_author ON review_metrics (organization_id, author_id, mcp_seq) INCLUDE (slot_1, repository_id) WHERE mcp_seq IS NOT NULL;

COMMENT ON COLUMN review_metrics.entry IS 'The entry with its comments as the JSON text that is sent, without a head while the pull request is open; null without comments. The text of a comment is never stored.';
COMMENT ON COLUMN review_metrics.entry_head IS 'The entry up to its comments or servers, as JSON text; null while the pull request is open.';
COMMENT ON COLUMN review_metrics.finding_facts IS 'The id of each comment''s finding with the time of its verdict, and verdicts of findings that are not listed.';
COMMENT ON COLUMN review_metrics.slot_1 IS 'Day of the merge (else the close) times 4, plus the class of the entry; the other slots alike with longer spans.';
COMMENT ON TABLE review_metrics_unplaced IS 'Empty, except after a restore: rows of a storage that is not made yet.';
