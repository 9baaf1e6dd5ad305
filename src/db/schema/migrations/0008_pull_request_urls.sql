-- Pull requests that were renamed or moved: reports name them by any URL that was ever told of them, whichever came first.
-- The URL of now is in pull_requests, so that a pull request whose URL never changes has no row here.
CREATE TABLE former_pull_request_urls (
  organization_id uuid NOT NULL,
  url_hash uuid NOT NULL,
  repository_id uuid NOT NULL,
  number integer NOT NULL,
  url text NOT NULL,
  PRIMARY KEY (organization_id, url_hash, repository_id, number)
);
