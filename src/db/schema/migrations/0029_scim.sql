-- SCIM: the people and groups that an identity provider reports for a workspace (ADR 0055).
CREATE TABLE scim_users (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  id uuid NOT NULL,
  person_id uuid NOT NULL REFERENCES people,
  user_name text NOT NULL,
  external_id text,
  active boolean NOT NULL,
  deleted boolean NOT NULL,
  attributes jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, person_id),
  CHECK (NOT (active AND deleted))
);
CREATE UNIQUE INDEX scim_users_by_name ON scim_users (workspace_id, lower(user_name)) WHERE NOT deleted;
CREATE INDEX scim_users_by_external_id ON scim_users (workspace_id, external_id) WHERE NOT deleted;
CREATE INDEX scim_users_by_time ON scim_users (workspace_id, created_at, id) WHERE NOT deleted;
COMMENT ON COLUMN scim_users.active IS 'False: none of the person''s accounts in the workspace may be active, whatever a Git host or document says.';
COMMENT ON COLUMN scim_users.deleted IS 'No longer shown; still keeps the person out until the provider creates it again.';
COMMENT ON COLUMN scim_users.attributes IS 'What the provider sent besides, returned as it came.';

CREATE TABLE scim_groups (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX scim_groups_by_name ON scim_groups (workspace_id, lower(display_name));

CREATE TABLE scim_group_members (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, group_id, user_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES scim_groups ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES scim_users ON DELETE CASCADE
);
CREATE INDEX scim_group_members_by_user ON scim_group_members (workspace_id, user_id);

ALTER TABLE members ADD COLUMN suspended boolean NOT NULL DEFAULT false;
ALTER TABLE members ADD CHECK (NOT (active AND suspended));
COMMENT ON COLUMN members.suspended IS 'Would be active, but the identity provider has deactivated the person.';

ALTER TABLE workspace_admins ADD COLUMN by_group boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN workspace_admins.by_group IS 'Through a group of the identity provider; false: named by the operator.';
