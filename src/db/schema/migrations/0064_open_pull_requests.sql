-- Whether the pull requests that were open when a repository came to a connection have been read: null until they are, also
-- for what was connected before.
ALTER TABLE connection_repositories ADD COLUMN open_state text
  CONSTRAINT connection_repositories_open_state_check CHECK (open_state IN ('done', 'failed'));
