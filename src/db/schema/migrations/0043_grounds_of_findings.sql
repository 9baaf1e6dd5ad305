-- What a finding rests on: other places that belong to it, how sure it is, the rules that raised it, and its weakness.
-- Rows of an earlier version have none of it; readers say what follows from their source.
ALTER TABLE review_run_findings ADD COLUMN related jsonb NOT NULL DEFAULT '[]', ADD COLUMN confidence text, ADD COLUMN rules text[],
  ADD COLUMN cwe text;
ALTER TABLE review_findings ADD COLUMN related jsonb NOT NULL DEFAULT '[]', ADD COLUMN confidence text, ADD COLUMN rules text[],
  ADD COLUMN cwe text;
