-- The dashboard: who may sign in, which browsers are signed in, and what is under way.
CREATE TABLE dashboard_accounts (
  person_id uuid PRIMARY KEY REFERENCES people,
  password_hash text,
  installation_admin boolean NOT NULL,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL
);
COMMENT ON COLUMN dashboard_accounts.password_hash IS 'Argon2id; null for people who only use single sign-on.';
COMMENT ON COLUMN dashboard_accounts.installation_admin IS 'Sees every workspace and organization as an Admin.';

CREATE TABLE dashboard_sessions (
  id_hash bytea PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES dashboard_accounts ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX dashboard_sessions_by_person ON dashboard_sessions (person_id);
COMMENT ON COLUMN dashboard_sessions.id_hash IS 'SHA-256 of what the cookie holds.';

CREATE TABLE dashboard_invitations (
  token_hash bytea PRIMARY KEY,
  email text CHECK (email = lower(email)),
  installation_admin boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK (email IS NOT NULL OR installation_admin)
);
COMMENT ON COLUMN dashboard_invitations.email IS 'Null: the link of the first admin, who says the address.';

CREATE UNLOGGED TABLE dashboard_sso_flows (
  state_hash bytea PRIMARY KEY,
  code_verifier text NOT NULL,
  nonce text NOT NULL,
  return_to text NOT NULL,
  expires_at timestamptz NOT NULL
);
