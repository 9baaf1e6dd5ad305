-- Up to which change of the host the review comments of bots were read along with a pull request.
ALTER TABLE host_pull_requests ADD COLUMN comments_read_up_to timestamptz;
