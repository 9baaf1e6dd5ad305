-- What nodes have in hand. It is left behind by a node that dies, so that nothing makes one node after the other die.
CREATE UNLOGGED TABLE taken_work (
  kind text NOT NULL,
  key text NOT NULL,
  node uuid NOT NULL,
  times smallint NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (kind, key)
);
