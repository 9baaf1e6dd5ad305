-- What is known about the fate of findings, and what follows from it (ADR 0100). A finding belongs to a pull request
-- (`pull/<number>`) or, where a diff was sent, to a run (`run/<id>`).
CREATE TABLE finding_signals (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  subject text NOT NULL,
  finding_id text NOT NULL,
  -- Of what was observed: the same observation is kept once.
  digest bytea NOT NULL,
  signal text NOT NULL CHECK (signal IN ('suggestion_applied', 'suggestion_landed', 'lines_changed', 'named_change', 'finding_gone',
    'thread_resolved', 'thread_reopened', 'reply_fixed', 'reply_wont_fix', 'reaction', 'dismissed', 'confirmed', 'merged_untouched')),
  source text NOT NULL CHECK (source IN ('git', 'host', 'rule', 'model', 'api', 'dashboard', 'command')),
  at timestamptz NOT NULL,
  actor_id text,
  actor_name text,
  actor_is_bot boolean,
  evidence jsonb NOT NULL,
  PRIMARY KEY (organization_id, repository_id, subject, finding_id, digest),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
CREATE INDEX finding_signals_newest ON finding_signals (organization_id, repository_id, subject, finding_id, at DESC, digest DESC);

CREATE FUNCTION refuse_changed_signals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'signals are never changed';
END $$;
CREATE TRIGGER finding_signals_append_only BEFORE UPDATE ON finding_signals
  FOR EACH ROW EXECUTE FUNCTION refuse_changed_signals();

-- The verdict as it stands, by the signals of one version of the pull request.
CREATE TABLE finding_outcomes (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  subject text NOT NULL,
  finding_id text NOT NULL,
  head text,
  accepted boolean,
  signal text,
  -- How often lines like those of the finding changed anyway.
  chance double precision,
  pr_url text,
  changed_at timestamptz NOT NULL,
  -- Whether the change was handed on to the metrics.
  is_reported boolean NOT NULL,
  PRIMARY KEY (organization_id, repository_id, subject, finding_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
CREATE INDEX finding_outcomes_unreported ON finding_outcomes (organization_id, repository_id, subject) WHERE NOT is_reported;

-- Findings of pull requests as they were posted, those of other reviewers too: what their fate is judged by.
CREATE TABLE followed_findings (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  pull_request integer NOT NULL,
  finding_id text NOT NULL,
  -- The user name of another reviewer; null for our own.
  reviewer text,
  source_kind text NOT NULL CHECK (source_kind IN ('rule', 'model', 'reviewer')),
  source_name text NOT NULL,
  severity text,
  category text,
  title text NOT NULL,
  url text NOT NULL,
  thread_id text NOT NULL,
  posted_at timestamptz NOT NULL,
  revision text NOT NULL,
  merge_base text,
  path text NOT NULL,
  side text NOT NULL CHECK (side IN ('new', 'old')),
  start_line integer,
  end_line integer,
  -- The lines with some around them, redacted.
  anchor_line integer,
  anchor_lines text[],
  names text[] NOT NULL,
  suggestion text,
  PRIMARY KEY (organization_id, repository_id, pull_request, finding_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories ON DELETE CASCADE
);
