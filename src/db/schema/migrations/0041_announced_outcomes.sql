-- What webhooks are told of an outcome that came before its pull request, and whether they have been told.
ALTER TABLE early_reports ADD COLUMN signal text, ADD COLUMN is_announced boolean NOT NULL DEFAULT false;
