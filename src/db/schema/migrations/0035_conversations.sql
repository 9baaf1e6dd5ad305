-- What follows from reading a pull request is due until it is done, so that work which the queue has lost is found again.
ALTER TABLE reviewed_pull_requests
  ADD COLUMN evaluation_due_at timestamptz,
  ADD COLUMN answers_due_at timestamptz,
  -- Since when, and by whom, a command in a comment has paused automatic reviews; null: they are not.
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN paused_by text;
CREATE INDEX reviewed_pull_requests_evaluation_due ON reviewed_pull_requests (evaluation_due_at) WHERE evaluation_due_at IS NOT NULL;
CREATE INDEX reviewed_pull_requests_answers_due ON reviewed_pull_requests (answers_due_at) WHERE answers_due_at IS NOT NULL;

-- Comments that were addressed to the account of a connection, each with the one answer that it gets (ADR 0101).
CREATE TABLE addressed_comments (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  -- `conversation/<id>` or `thread/<id>`: hosts number the two kinds separately.
  comment_id text NOT NULL,
  -- Null for a comment of the conversation.
  thread_id text,
  author_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('command', 'question', 'unknown', 'stranger', 'program', 'wont_fix', 'over_limit')),
  -- `silent`: it gets no answer.
  state text NOT NULL CHECK (state IN ('pending', 'answered', 'silent')),
  -- What is posted; null while it has yet to be worked out.
  answer text,
  decided_at timestamptz NOT NULL,
  answered_at timestamptz,
  -- What a model was used for it, and how much it may cost at most.
  model text,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_usd double precision NOT NULL DEFAULT 0,
  allowed_usd double precision NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, repository_id, number, comment_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
CREATE INDEX addressed_comments_spending ON addressed_comments (organization_id, decided_at) WHERE calls > 0 OR allowed_usd > 0;
