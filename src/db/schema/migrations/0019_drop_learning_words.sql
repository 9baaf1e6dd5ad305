-- Word search runs in memory (ADR 0020); no statement reads this column any more.
ALTER TABLE learnings DROP COLUMN words;
