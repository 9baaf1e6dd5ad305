-- What a node works on it has leased, until the end of its time or of the node: that has to outlive a crash of the database, and be
-- known to a standby that takes over. Which nodes are alive they say again within a second.
ALTER TABLE taken_work SET LOGGED;
ALTER TABLE taken_work
  -- Which attempt has it; null of nodes of the former version.
  ADD COLUMN lease uuid,
  -- Nodes of the former version do not say it.
  ADD COLUMN ends_at timestamptz NOT NULL DEFAULT now() + interval '30 seconds',
  ADD COLUMN turn text;

-- Of everything with the same turn, one thing is worked on at a time.
CREATE UNIQUE INDEX taken_work_turn ON taken_work (turn);
