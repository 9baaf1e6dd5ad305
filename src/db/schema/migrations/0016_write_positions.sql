-- The positions of the write order come from a sequence. A row that every writer updates keeps each of its versions for as long as
-- any transaction is open that could see them, such as a backup, and every further update has to go past them all (ADR 0005).
CREATE SEQUENCE write_positions;
SELECT setval('write_positions', greatest(value, 1), value > 0) FROM write_clock;
ALTER TABLE write_clock DROP COLUMN value;
COMMENT ON TABLE write_clock IS 'Locked by whoever takes positions of the write order, until the transaction ends; its one row is rarely changed.';
