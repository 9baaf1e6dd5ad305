-- Look-ups that would otherwise read all of a table that grows with the number of tenants.

-- The workspaces that a person administers: asked for with every request to the dashboard.
CREATE INDEX workspace_admins_by_person ON workspace_admins (person_id);

-- Organizations by their id at the Git host, as documents and sources name them.
CREATE INDEX organizations_by_host_id ON organizations (provider_organization_id);

-- The few organizations with a storage of their own: asked for every few seconds.
CREATE INDEX organizations_isolated ON organizations (id) WHERE metrics_isolated;

-- The order in which event sources are listed.
CREATE INDEX event_sources_newest ON event_sources (created_at DESC, id DESC);

-- Who refers to a secret: PostgreSQL asks each of these before it deletes one.
CREATE INDEX webhooks_by_secret ON webhooks (secret_id);
CREATE INDEX webhooks_by_former_secret ON webhooks (former_secret_id) WHERE former_secret_id IS NOT NULL;
CREATE INDEX mcp_servers_by_secret ON mcp_servers (headers_id) WHERE headers_id IS NOT NULL;
CREATE INDEX connections_by_credentials ON connections (credentials_id);
CREATE INDEX connections_by_secret ON connections (webhook_secret_id);
CREATE INDEX connections_by_former_secret ON connections (former_webhook_secret_id) WHERE former_webhook_secret_id IS NOT NULL;
