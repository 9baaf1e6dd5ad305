-- An event that may be applied again without harm is remembered for a while only; null for those that are remembered for good,
-- among them all that came before this.
ALTER TABLE received_events ADD COLUMN forget_at timestamptz;
CREATE INDEX received_events_to_forget ON received_events (forget_at) WHERE forget_at IS NOT NULL;

CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at, id) WHERE organization_id IS NOT NULL;
