-- Every secret of an outgoing webhook that was replaced keeps its 24 hours, however many follow.
CREATE TABLE former_signing_secrets (
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  secret_id uuid NOT NULL REFERENCES sealed_secrets,
  valid_until timestamptz NOT NULL,
  PRIMARY KEY (organization_id, webhook_id, secret_id),
  FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks
);
INSERT INTO former_signing_secrets (organization_id, webhook_id, secret_id, valid_until)
SELECT organization_id, id, former_secret_id, former_secret_until FROM webhooks WHERE former_secret_id IS NOT NULL;
UPDATE webhooks SET former_secret_id = NULL, former_secret_until = NULL WHERE former_secret_id IS NOT NULL;
COMMENT ON COLUMN webhooks.former_secret_id IS 'No longer used; kept for nodes of the version before.';
COMMENT ON COLUMN webhooks.former_secret_until IS 'No longer used; kept for nodes of the version before.';
