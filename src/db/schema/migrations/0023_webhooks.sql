-- Where an organization wants to hear of what happens in it.
CREATE TABLE webhooks (
  organization_id uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  -- False: paused, by an admin or by the server; a notice says why the server did.
  active boolean NOT NULL,
  notice text,
  notice_at timestamptz,
  secret_id uuid NOT NULL REFERENCES sealed_secrets,
  former_secret_id uuid REFERENCES sealed_secrets,
  former_secret_until timestamptz,
  -- Null: the last attempt at a delivery succeeded, or there was none.
  failing_since timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- The outbox: one row for each event and webhook, written in the transaction that makes the change. It does not reference
-- `webhooks`: a change must not fail because a webhook is being removed. Rows without a webhook are never sent, and are
-- deleted with the old ones.
CREATE TABLE webhook_deliveries (
  organization_id uuid NOT NULL REFERENCES organizations,
  webhook_id uuid NOT NULL,
  -- The event's id, the same for every webhook; sent as `webhook-id`.
  id uuid NOT NULL,
  -- Deliveries of one subject are sent in this order.
  position bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  subject text NOT NULL,
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  -- An admin asked for it, so that it is sent even if the webhook is paused.
  requested boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  -- The series of failed attempts that is under way, and when it began; a replay begins a new one.
  failures integer NOT NULL DEFAULT 0,
  tried_since timestamptz,
  last_attempt_at timestamptz,
  -- Null unless it is waiting.
  next_attempt_at timestamptz,
  leased_until timestamptz,
  response_status integer,
  response_body text,
  error text,
  PRIMARY KEY (organization_id, webhook_id, id),
  CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, webhook_id, next_attempt_at)
  WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (organization_id, webhook_id, subject, position)
  WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, webhook_id, position DESC);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
