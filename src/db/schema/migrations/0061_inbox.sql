-- What the Inbox shows of a pull request, as its host last said; null or empty in rows that an earlier version wrote.
ALTER TABLE host_pull_requests
  ADD COLUMN opened_at timestamptz,
  ADD COLUMN url text,
  ADD COLUMN title text,
  ADD COLUMN author_id text,
  ADD COLUMN author_username text,
  ADD COLUMN is_draft boolean NOT NULL DEFAULT false,
  ADD COLUMN head_revision text,
  ADD COLUMN lines_added integer,
  ADD COLUMN lines_removed integer,
  ADD COLUMN files_changed integer,
  -- Whose review was asked for and is not there yet: `user:` or `team:` with the id at the host.
  ADD COLUMN asked text[] NOT NULL DEFAULT '{}',
  -- The ids of accounts that have reviewed it.
  ADD COLUMN reviewed_by text[] NOT NULL DEFAULT '{}',
  -- Who owns what it changes, as CODEOWNERS names them, in lower case; known once it was reviewed.
  ADD COLUMN owners text[] NOT NULL DEFAULT '{}';
