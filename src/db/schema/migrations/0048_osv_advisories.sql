-- Advisories that the operator imported, and the packages that each is about. They belong to the installation.
CREATE TABLE osv_advisories (
  id text PRIMARY KEY,
  advisory jsonb NOT NULL
);
CREATE TABLE osv_affected (
  ecosystem text NOT NULL,
  name text NOT NULL,
  advisory_id text NOT NULL REFERENCES osv_advisories (id) ON DELETE CASCADE,
  PRIMARY KEY (ecosystem, name, advisory_id)
);
CREATE INDEX osv_affected_by_advisory ON osv_affected (advisory_id);
