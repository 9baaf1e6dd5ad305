-- Teams: groups of accounts of an organization, defined in Postil or read from its Git host. The groups of an identity provider
-- count as teams too; they stay where they are (ADR 0056).
CREATE TABLE teams (
  organization_id uuid NOT NULL REFERENCES organizations,
  id uuid NOT NULL,
  name text NOT NULL,
  -- The id at the Git host; null for a team defined in Postil.
  host_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX teams_by_name ON teams (organization_id, lower(name)) WHERE host_id IS NULL;
CREATE UNIQUE INDEX teams_by_host_id ON teams (organization_id, host_id) WHERE host_id IS NOT NULL;

CREATE TABLE team_members (
  organization_id uuid NOT NULL,
  team_id uuid NOT NULL,
  provider_user_id text NOT NULL,
  -- As the host reported it: a team of a host can have people who are not members of the organization. Null in Postil's own teams.
  username text,
  PRIMARY KEY (organization_id, team_id, provider_user_id),
  FOREIGN KEY (organization_id, team_id) REFERENCES teams ON DELETE CASCADE
);
CREATE INDEX team_members_by_user ON team_members (organization_id, provider_user_id) INCLUDE (team_id);

-- How the teams of an organization were last read from its host.
CREATE TABLE host_team_readings (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  tried_at timestamptz NOT NULL,
  -- Null: never successfully.
  read_at timestamptz,
  -- Why the last attempt failed; null if it succeeded.
  problem text
);
