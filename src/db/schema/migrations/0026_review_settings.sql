-- What an organization decides about its reviews; no row means that nothing was decided.
CREATE TABLE review_settings (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  -- User names of other reviewers, whose findings are compared with ours.
  other_reviewers text[] NOT NULL,
  -- Null: no limit.
  budget_usd_per_month double precision,
  ast_grep_rules text[] NOT NULL,
  allow_mcp_for_forks boolean NOT NULL,
  -- As a .postil.yaml says it.
  defaults jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- MCP servers whose tools a model may call during a review.
CREATE TABLE mcp_servers (
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL,
  position integer NOT NULL,
  url text NOT NULL,
  header_names text[] NOT NULL,
  -- The values of the headers; null where there are none.
  headers_id uuid REFERENCES sealed_secrets,
  -- Null: the tools that the server declares as read-only.
  tools text[],
  PRIMARY KEY (organization_id, name)
);

-- How far the cost of an unfinished run may go, so that runs at the same time cannot spend the same money twice.
ALTER TABLE review_runs ADD COLUMN allowed_usd double precision NOT NULL DEFAULT 0;
-- The calls of MCP tools in a run, all attempts together.
ALTER TABLE review_runs ADD COLUMN mcp_usage jsonb NOT NULL DEFAULT '[]';
