-- A weekly summary of an organization, or of one of its teams: when it is due and where it goes.
CREATE TABLE digests (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  -- Null: of the whole organization. Groups of identity providers are teams as well.
  team_id uuid,
  -- 1 is Monday; the hour is in UTC, as days of metrics are.
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  recipients text[] NOT NULL,
  chat_kind text CHECK (chat_kind IN ('slack', 'teams')),
  -- The URL is a credential: whoever has it can write there.
  chat_secret_id uuid REFERENCES sealed_secrets (id),
  chat_host text,
  active boolean NOT NULL,
  next_due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE NULLS NOT DISTINCT (organization_id, team_id),
  CHECK ((chat_kind IS NULL) = (chat_secret_id IS NULL) AND (chat_kind IS NULL) = (chat_host IS NULL))
);
CREATE INDEX digests_due ON digests (next_due_at) WHERE active;
CREATE INDEX digests_by_chat_secret ON digests (chat_secret_id) WHERE chat_secret_id IS NOT NULL;

-- What a digest said about a week; there is one for a week, whatever happens.
CREATE TABLE digest_issues (
  organization_id uuid NOT NULL,
  digest_id uuid NOT NULL,
  -- The last day.
  end_date date NOT NULL,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, digest_id, end_date),
  FOREIGN KEY (organization_id, digest_id) REFERENCES digests (organization_id, id) ON DELETE CASCADE
);

-- One for each address, and one for the chat. From `sending` on it may have arrived, and is not sent again.
CREATE TABLE digest_sendings (
  organization_id uuid NOT NULL,
  digest_id uuid NOT NULL,
  end_date date NOT NULL,
  -- An email address, or `chat`.
  recipient text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'failed', 'unknown', 'dropped')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  error text,
  PRIMARY KEY (organization_id, digest_id, end_date, recipient),
  FOREIGN KEY (organization_id, digest_id, end_date)
    REFERENCES digest_issues (organization_id, digest_id, end_date) ON DELETE CASCADE
);
CREATE INDEX digest_sendings_waiting ON digest_sendings (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX digest_sendings_under_way ON digest_sendings (changed_at) WHERE state IN ('claimed', 'sending');
CREATE INDEX digest_sendings_by_time ON digest_sendings (changed_at);
