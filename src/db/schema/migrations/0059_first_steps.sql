-- An admin of the installation can put the page with the first steps away before all of them are done.
ALTER TABLE dashboard_accounts ADD COLUMN first_steps_put_away_at timestamptz;
