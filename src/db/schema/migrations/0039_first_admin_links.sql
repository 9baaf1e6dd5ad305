-- A person has one link at a time, but the first admin has one of every start: they are valid side by side until the first is used.
CREATE UNIQUE INDEX dashboard_invitations_by_person ON dashboard_invitations (email);
DROP INDEX dashboard_invitations_one_per_person;
