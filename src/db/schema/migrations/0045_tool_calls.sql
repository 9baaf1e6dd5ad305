-- How often the model of a review looked something up in the repository.
ALTER TABLE review_runs ADD COLUMN tool_calls integer NOT NULL DEFAULT 0;
