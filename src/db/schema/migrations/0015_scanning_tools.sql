-- Findings belong to the tool that reports them, keep what its log says of them, and are told apart by their place
-- among alike ones (see ADR 0043 and 0044).

ALTER TABLE security_scans
  ADD COLUMN tool text COLLATE "C" NOT NULL DEFAULT '*',
  ADD COLUMN unread json;
ALTER TABLE security_scans ALTER COLUMN tool DROP DEFAULT;
ALTER TABLE security_scans DROP CONSTRAINT security_scans_pkey;
ALTER TABLE security_scans ADD PRIMARY KEY (organization_id, repository_id, scanned_at, scan_id, tool);
COMMENT ON COLUMN security_scans.tool IS '*: from before tools were told apart; it covers the findings of all of them.';
COMMENT ON COLUMN security_scans.unread IS 'Rule and file, as far as known, of results that could not be read: the scan says nothing about such findings.';

ALTER TABLE security_findings
  ADD COLUMN tool text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN alike text COLLATE "C",
  ADD COLUMN start_column integer,
  ADD COLUMN end_column integer,
  ADD COLUMN origin json;
COMMENT ON COLUMN security_findings.tool IS 'Empty: from before tools were told apart; the first tool that reports the finding takes it over.';
COMMENT ON COLUMN security_findings.alike IS 'The same for findings that only their place tells apart. Null: not known yet.';
COMMENT ON COLUMN security_findings.origin IS 'What the SARIF log of the newest detection says besides: fingerprints, level, score. Null: reported natively.';

CREATE TABLE security_tools (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  tool text COLLATE "C" NOT NULL,
  scanned_at timestamptz NOT NULL,
  driver json NOT NULL,
  PRIMARY KEY (organization_id, repository_id, tool),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories
);
COMMENT ON TABLE security_tools IS 'How the newest SARIF log of a tool describes the tool itself.';

CREATE TABLE security_rules (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  tool text COLLATE "C" NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  scanned_at timestamptz NOT NULL,
  descriptor json NOT NULL,
  PRIMARY KEY (organization_id, repository_id, tool, rule_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories
);
COMMENT ON TABLE security_rules IS 'How the newest SARIF log of a tool describes the rules of its findings.';
