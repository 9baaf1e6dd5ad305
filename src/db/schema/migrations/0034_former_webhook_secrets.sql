-- Every webhook secret that was replaced keeps its 24 hours, however many follow.
CREATE TABLE former_webhook_secrets (
  secret_id uuid PRIMARY KEY REFERENCES sealed_secrets,
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  valid_until timestamptz NOT NULL
);
CREATE INDEX former_webhook_secrets_by_connection ON former_webhook_secrets (connection_id);
INSERT INTO former_webhook_secrets (secret_id, connection_id, valid_until)
SELECT former_webhook_secret_id, id, former_webhook_secret_until FROM connections WHERE former_webhook_secret_id IS NOT NULL;
UPDATE connections SET former_webhook_secret_id = NULL, former_webhook_secret_until = NULL WHERE former_webhook_secret_id IS NOT NULL;
COMMENT ON COLUMN connections.former_webhook_secret_id IS 'No longer used; kept for nodes of the version before.';

ALTER TABLE connections ADD COLUMN untried boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN connections.untried IS 'Changed while paused, so that the host has yet to be asked.';
