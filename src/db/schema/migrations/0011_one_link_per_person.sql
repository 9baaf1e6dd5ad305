-- A person has one link at a time, and so does the first admin: a newer link takes the place of the older one.
DELETE FROM dashboard_invitations older USING dashboard_invitations newer
WHERE older.email IS NOT DISTINCT FROM newer.email
  AND (older.created_at, older.token_hash) < (newer.created_at, newer.token_hash);
CREATE UNIQUE INDEX dashboard_invitations_one_per_person ON dashboard_invitations (email) NULLS NOT DISTINCT;
