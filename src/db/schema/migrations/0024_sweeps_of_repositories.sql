-- Each repository is swept from its own last sweep: one whose list the host does not give must not miss what changed meanwhile.
ALTER TABLE connection_repositories ADD COLUMN swept_at timestamptz;
UPDATE connection_repositories r SET swept_at = c.swept_at FROM connections c WHERE c.id = r.connection_id;
