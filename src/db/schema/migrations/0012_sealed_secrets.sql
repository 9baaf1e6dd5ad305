-- Secrets of connections, webhooks and MCP servers: sealed by the server, so that a copy of the database does not hold them.
CREATE TABLE sealed_secrets (
  id uuid PRIMARY KEY,
  purpose text NOT NULL,
  key_id text NOT NULL,
  sealed bytea NOT NULL
);
CREATE INDEX sealed_secrets_by_key ON sealed_secrets (key_id);
COMMENT ON TABLE sealed_secrets IS 'AES-256-GCM with a key that is not in the database; bound to the id and the purpose of its row.';
