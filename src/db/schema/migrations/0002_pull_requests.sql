-- Pull requests as the newest event told them; several capabilities ask for their state.
-- No foreign keys: the intake has looked both up, neither is ever deleted, and their checks cost a tenth of the ingest.
CREATE TABLE pull_requests (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  url text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'merged', 'closed')),
  event_time timestamptz NOT NULL,
  PRIMARY KEY (organization_id, repository_id, number)
);
-- Outcomes and MCP usage name a pull request by its URL, which can be longer than an index entry.
CREATE INDEX pull_requests_by_url ON pull_requests (organization_id, (md5(url)::uuid));
