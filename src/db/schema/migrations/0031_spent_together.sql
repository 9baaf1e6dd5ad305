-- Requests that arrive at the same time with one key are charged together: how many of them were admitted, and how many
-- the log then held. Nodes of the version before write neither; nothing reads what they leave.
ALTER TABLE rate_limit_windows
  ADD COLUMN used integer NOT NULL DEFAULT 0,
  ADD COLUMN admitted integer NOT NULL DEFAULT 0;
