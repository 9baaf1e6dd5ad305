-- Browsers and networks in which a person has signed in: guesses made elsewhere do not use up the tries there (ADR 0054).
CREATE TABLE dashboard_known_places (
  person_id uuid NOT NULL REFERENCES dashboard_accounts ON DELETE CASCADE,
  place_hash bytea NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, place_hash)
);
COMMENT ON COLUMN dashboard_known_places.place_hash IS 'SHA-256 of the value in the browser''s cookie, or of the network.';
