-- Whether the host may still show a run as pending, or has to be told that it failed: its end must be shown there.
ALTER TABLE review_runs ADD COLUMN status_due boolean NOT NULL DEFAULT false;
CREATE INDEX review_runs_status_due ON review_runs (finished_at) WHERE status_due AND finished_at IS NOT NULL;
