-- Security findings: which scans there were, and what is known of each finding (see ADR 0040).

CREATE TABLE security_scans (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  scanned_at timestamptz NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  directories text[],
  PRIMARY KEY (organization_id, repository_id, scanned_at, scan_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories
);
COMMENT ON TABLE security_scans IS 'What each scan looked at, so that one that arrives late finds out which later scans no longer saw its findings.';
COMMENT ON COLUMN security_scans.directories IS 'Null: the whole repository.';

CREATE TABLE security_findings (
  organization_id uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  repository_id uuid,
  fingerprint text,
  rule_id text,
  title text,
  description text,
  severity text CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
  cwe text[],
  file_path text COLLATE "C",
  start_line integer,
  end_line integer,
  reachability json,
  suppression_reason text,
  suppressed_by text,
  revision text COLLATE "C",
  scan_id text COLLATE "C",
  coverage_scope text CHECK (coverage_scope IN ('repository', 'directories')),
  first_detected_at timestamptz,
  last_seen_at timestamptz,
  fixed_at timestamptz,
  dismissed_at timestamptz,
  dismissal_reason text COLLATE "C",
  dismissed_by text COLLATE "C",
  state text GENERATED ALWAYS AS (
    CASE
      WHEN last_seen_at IS NULL THEN NULL
      WHEN fixed_at IS NOT NULL THEN 'fixed'
      WHEN dismissed_at IS NOT NULL OR suppression_reason IS NOT NULL THEN 'dismissed'
      ELSE 'open'
    END
  ) STORED,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories,
  -- Either all that one detection says is known, or nothing but a dismissal.
  CHECK (num_nonnulls(repository_id, fingerprint, rule_id, title, severity, cwe, file_path, start_line, end_line,
    revision, scan_id, coverage_scope, first_detected_at, last_seen_at) IN (0, 14)),
  CHECK (last_seen_at IS NOT NULL OR dismissed_at IS NOT NULL),
  CHECK (num_nonnulls(dismissed_at, dismissal_reason, dismissed_by) IN (0, 3))
) WITH (fillfactor = 85);
CREATE INDEX security_findings_by_state ON security_findings (organization_id, state, id) WHERE state IS NOT NULL;
CREATE INDEX security_findings_by_repository ON security_findings (organization_id, repository_id, state, id)
  WHERE repository_id IS NOT NULL;
COMMENT ON TABLE security_findings IS 'One row per finding: what its newest detection says, and its dismissal, which may come first.';
COMMENT ON COLUMN security_findings.suppression_reason IS 'The newest detection was marked as suppressed by its scanner.';
COMMENT ON COLUMN security_findings.fixed_at IS 'The earliest scan after the newest detection that looked at its file and did not find it.';
