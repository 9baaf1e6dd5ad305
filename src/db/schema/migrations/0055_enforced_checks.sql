-- Checks before the merge that hold in every repository of an organization, whatever its file says.
ALTER TABLE review_settings ADD COLUMN enforced_checks jsonb NOT NULL DEFAULT '{}';
