-- Apps that admins are creating at a host: what the host hands back must come from the person who began it, once, and soon.
CREATE TABLE app_flows (
  state_hash bytea PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- The connection that the app will have: its webhook is named before it exists.
  connection_id uuid NOT NULL,
  provider text NOT NULL,
  url text NOT NULL,
  organization text,
  expires_at timestamptz NOT NULL
);
