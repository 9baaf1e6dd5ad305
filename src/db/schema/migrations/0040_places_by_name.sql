-- The first organizations and workspaces by name: what an installation admin sees when the dashboard opens.
CREATE INDEX organizations_by_name ON organizations (name COLLATE "C", id) WHERE active;
CREATE INDEX workspaces_by_name ON workspaces (name COLLATE "C", id) WHERE active;
