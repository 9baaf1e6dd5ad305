-- Which nodes do work, and when they last said so. Of no worth after a crash of the database: nodes say it again every second.
CREATE UNLOGGED TABLE nodes (
  node uuid NOT NULL PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  -- When its work was given to others.
  lost_at timestamptz
);
