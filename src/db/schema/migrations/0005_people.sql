-- People: what the listings, the seat rules, the roles and the audit log's reading side need.

ALTER TABLE members ADD COLUMN seat_assigned_at timestamptz;
UPDATE members SET seat_assigned_at = created_at WHERE seat;
COMMENT ON COLUMN members.seat_assigned_at IS 'Since when the seat is held; decides whether it is idle while the person was never active.';

-- last_active_at is in no index, so that noting activity stays a HOT update.
ALTER TABLE members SET (fillfactor = 85);
CREATE INDEX members_with_seat ON members (organization_id, provider_user_id) INCLUDE (person_id) WHERE seat AND active;
CREATE INDEX members_admins ON members (organization_id, provider_user_id) WHERE role = 'cr_admin' AND active;
CREATE INDEX members_by_role ON members (organization_id, custom_role_id, role) INCLUDE (active);
CREATE INDEX members_people ON members (organization_id, person_id) WHERE active AND person_id IS NOT NULL;

-- How many entries of each kind a chain has, kept with every entry, so that counting does not read the log.
CREATE TABLE audit_tallies (
  chain_id uuid NOT NULL,
  action text NOT NULL,
  resource_type text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (chain_id, action, resource_type)
);
INSERT INTO audit_tallies (chain_id, action, resource_type, entries)
SELECT chain_id, action, resource_type, count(*) FROM audit_entries GROUP BY chain_id, action, resource_type;

-- Everything that a filter or a count asks of an entry, so that neither reads the table.
DROP INDEX audit_entries_by_time;
CREATE INDEX audit_entries_by_time ON audit_entries (chain_id, created_at DESC, position DESC)
  INCLUDE (action, resource_type, actor_name);

-- The audit log only grows (see ADR 0031).
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_entries_only_grow BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_stay BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
