-- Reviews that are posted only when a member releases them: whether a run waits for that, and which findings were let out or held back.
ALTER TABLE review_runs ADD COLUMN release text CHECK (release IN ('waiting', 'released'));
ALTER TABLE review_findings ADD COLUMN released_at timestamptz;
ALTER TABLE review_findings ADD COLUMN withheld_at timestamptz;
