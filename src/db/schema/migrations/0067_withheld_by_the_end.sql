-- Held back because the pull request ended, not by a member: reopening takes that back. Of earlier findings nobody knows which it was.
ALTER TABLE review_findings ADD COLUMN withheld_by_end boolean NOT NULL DEFAULT false;
