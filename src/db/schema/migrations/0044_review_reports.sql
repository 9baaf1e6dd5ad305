-- What a review says beside its findings, as the API shows it; null where a run came to none.
ALTER TABLE review_runs ADD COLUMN report jsonb;
