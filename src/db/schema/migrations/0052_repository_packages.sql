-- What repositories depend on, by the newest commits of their default branches, and which advisories are about it.
CREATE TABLE repository_inventories (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  -- The commit that was read; null where the repository is empty, or was never read.
  revision text,
  read_at timestamptz,
  -- When the branch is looked at again.
  due_at timestamptz NOT NULL,
  packages integer NOT NULL DEFAULT 0,
  affected integer NOT NULL DEFAULT 0,
  -- What could not be read, as sentences.
  notes text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, repository_id),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repositories (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX repository_inventories_by_due ON repository_inventories (due_at);

CREATE TABLE repository_packages (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  ecosystem text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- What a file fixes, or else what a manifest asks for.
  version text COLLATE "C" NOT NULL,
  is_fixed boolean NOT NULL,
  is_direct boolean NOT NULL,
  licence text,
  path text NOT NULL,
  advisories text[] NOT NULL DEFAULT '{}',
  -- The worst of the advisories; null where there is none.
  severity text,
  PRIMARY KEY (organization_id, repository_id, ecosystem, name, version),
  FOREIGN KEY (organization_id, repository_id) REFERENCES repository_inventories (organization_id, repository_id) ON DELETE CASCADE
);
-- For the list of an organization, all of it and what is affected, and for what an advisory is about.
CREATE INDEX repository_packages_by_name ON repository_packages (organization_id, ecosystem, lower(name), name, version, repository_id);
CREATE INDEX repository_packages_affected ON repository_packages (organization_id, ecosystem, lower(name), name, version, repository_id)
  WHERE severity IS NOT NULL;
CREATE INDEX repository_packages_of_any ON repository_packages (ecosystem, lower(name));
