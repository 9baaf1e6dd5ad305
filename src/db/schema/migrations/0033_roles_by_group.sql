-- Roles that groups of an identity provider give (ADR 0055).
ALTER TABLE members ADD COLUMN role_by_group boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN members.role_by_group IS 'The role is that of a group of the identity provider; false: given in Postil or by the operator.';
