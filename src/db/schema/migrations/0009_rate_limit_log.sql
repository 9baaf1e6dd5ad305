-- The log of a limit: moments at which requests were admitted in the last minute, and how many at each. Requests of a high
-- limit share moments, so that a log stays short. Losing it in a crash, or here, costs nothing.
DROP TABLE rate_limit_windows;
CREATE UNLOGGED TABLE rate_limit_windows (
  bucket text PRIMARY KEY,
  moments timestamptz[] NOT NULL,
  counts integer[] NOT NULL,
  last_admitted boolean NOT NULL
);
