-- Lists of what checks say, by state and by the check that failed: what a page needs is found without reading all verdicts.
ALTER TABLE pull_request_checks
  -- False once another head of the pull request was evaluated.
  ADD COLUMN is_newest boolean NOT NULL DEFAULT true,
  -- `failure`, `neutral` or `success`, as the status says.
  ADD COLUMN state text;
-- When the newest evaluation said that the check failed; null if it did not.
ALTER TABLE check_records ADD COLUMN failing_at timestamptz;
-- In its place stands pull_request_checks_by_time.
DROP INDEX IF EXISTS pull_request_checks_newest;
