-- The orders in which the dashboard pages through people and security findings.
CREATE INDEX members_by_name ON members (organization_id, (lower(username) COLLATE "C"), provider_user_id) WHERE active;

CREATE INDEX security_findings_by_severity ON security_findings (
  organization_id, state, (array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], severity)), id)
  WHERE state IS NOT NULL;

CREATE INDEX security_findings_by_detection ON security_findings (organization_id, state, first_detected_at, id)
  WHERE state IS NOT NULL;

-- What became of findings that follow a Learning.
CREATE INDEX review_findings_with_learnings ON review_findings (organization_id) INCLUDE (accepted, learning_ids)
  WHERE cardinality(learning_ids) > 0;

-- The history of one finding.
CREATE INDEX audit_entries_of_security_findings ON audit_entries (organization_id, resource_id)
  WHERE resource_type = 'security_finding';
