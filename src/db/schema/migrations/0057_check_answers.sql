-- What a model said to the questions of checks, once for each version and question, and what it cost.
CREATE TABLE check_answers (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  head_revision text NOT NULL,
  -- Of the question, of what the change is compared with, and of the model.
  digest text NOT NULL,
  -- Null while there is none.
  outcome jsonb,
  -- Why there is none.
  fault text CHECK (fault IN ('budget', 'time', 'model_failed')),
  asked_at timestamptz NOT NULL,
  model text,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_usd double precision NOT NULL DEFAULT 0,
  allowed_usd double precision NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, repository_id, number, head_revision, digest),
  FOREIGN KEY (organization_id, repository_id, number)
    REFERENCES reviewed_pull_requests (organization_id, repository_id, number) ON DELETE CASCADE
);
CREATE INDEX check_answers_by_time ON check_answers (organization_id, asked_at);

ALTER TABLE reviewed_pull_requests ADD COLUMN questions_due_at timestamptz;
