-- Review metrics: one row per pull request holds what was found, in the form in which it is sent (see ADR 0010).
-- Partitioned by storage, so that an organization's metrics can live in storage of their own (see ADR 0012).
CREATE TABLE review_metrics (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  storage_id integer NOT NULL,
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
  comments text,
  comment_counts text,
  mcp_time timestamptz,
  mcp_servers text,
  entry_head text,
  slot_1 integer,
  slot_4 integer,
  slot_16 integer,
  slot_64 integer,
  slot_256 integer,
  write_seq bigint,
  mcp_seq bigint,
  PRIMARY KEY (organization_id, repository_id, number, storage_id)
) PARTITION BY LIST (storage_id);

CREATE TABLE review_metrics_shared PARTITION OF review_metrics FOR VALUES IN (0)
  WITH (fillfactor = 80, toast_tuple_target = 8160);
CREATE TABLE review_metrics_unplaced PARTITION OF review_metrics DEFAULT
  WITH (fillfactor = 80, toast_tuple_target = 8160);

-- Any window of merge days is covered by few spans of 1, 4, 16, 64 and 256 days; each span is a stream in write order.
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

COMMENT ON COLUMN review_metrics.entry_head IS 'The entry up to its comments or servers, as JSON text; null while the pull request is open.';
COMMENT ON COLUMN review_metrics.comments IS 'The comments of the entry as the JSON text that is sent; the text of a comment is never stored.';
COMMENT ON COLUMN review_metrics.finding_facts IS 'The id of each comment''s finding with the time of its verdict, and verdicts of findings that are not listed.';
COMMENT ON COLUMN review_metrics.slot_1 IS 'Day of the merge (else the close) times 4, plus the class of the entry; the other slots alike with longer spans.';
COMMENT ON TABLE review_metrics_unplaced IS 'Empty, except after a restore: rows of a storage that is not made yet.';

-- Outcomes and MCP usage that came before their pull request.
CREATE TABLE early_reports (
  organization_id uuid NOT NULL,
  url_hash uuid NOT NULL,
  subject text NOT NULL,
  url text NOT NULL,
  value text NOT NULL,
  event_time timestamptz NOT NULL,
  PRIMARY KEY (organization_id, url_hash, subject)
);
COMMENT ON COLUMN early_reports.subject IS 'finding:<id> for an outcome, mcp for MCP usage.';

-- Where the metrics of organizations are that are, were or shall be isolated; all others share storage 0.
CREATE TABLE metrics_storage (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  isolated_id integer NOT NULL UNIQUE CHECK (isolated_id > 0),
  storage_id integer NOT NULL CHECK (storage_id IN (0, isolated_id)),
  moving_from integer CHECK (moving_from <> storage_id)
);
COMMENT ON COLUMN metrics_storage.moving_from IS 'Where rows may still lie that are being moved to storage_id; null when all are there.';

ALTER TABLE write_clock ADD COLUMN storage_version bigint NOT NULL DEFAULT 0;
