-- What an account may still write at its host. All nodes share it; it fills up again with time.
CREATE TABLE connection_write_budgets (
  connection_id uuid PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
  minute_left double precision NOT NULL,
  hour_left double precision NOT NULL,
  counted_at timestamptz NOT NULL
);
