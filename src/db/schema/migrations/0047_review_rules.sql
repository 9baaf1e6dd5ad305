-- How a finding's lines would have fared without it, beside what became of it (as in finding_outcomes).
ALTER TABLE review_findings ADD COLUMN chance double precision;

-- What became of the findings of each rule in an organization, and what its admins decided about the rule (ADR 0110). The counts
-- are kept by triggers, so that they are right whoever writes findings, nodes of an earlier version included.
CREATE TABLE review_rules (
  organization_id uuid NOT NULL,
  rule text NOT NULL,
  raised bigint NOT NULL DEFAULT 0,
  posted bigint NOT NULL DEFAULT 0,
  accepted bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  -- Posted, and nobody knows what became of it.
  unknown bigint NOT NULL DEFAULT 0,
  -- How many findings have a chance rate, and their sum: exact, whatever the order in which it came about.
  chances bigint NOT NULL DEFAULT 0,
  chance_sum numeric NOT NULL DEFAULT 0,
  -- Those with a finding of which it is known.
  pull_requests bigint NOT NULL DEFAULT 0,
  setting text NOT NULL DEFAULT 'automatic' CHECK (setting IN ('automatic', 'pinned', 'off')),
  -- How the rule stood when it was last looked at, and since when; null where it never stood otherwise.
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'quiet', 'pinned', 'off')),
  since timestamptz,
  PRIMARY KEY (organization_id, rule)
) WITH (fillfactor = 80);

CREATE TABLE review_rule_pull_requests (
  organization_id uuid NOT NULL,
  rule text NOT NULL,
  repository_id uuid NOT NULL,
  pull_request integer NOT NULL,
  -- How many findings of the rule there are of which it is known what became of them.
  known integer NOT NULL,
  PRIMARY KEY (organization_id, rule, repository_id, pull_request)
);

-- Organizations whose findings are still to be counted: at first all. One that is added later is counted again.
CREATE TABLE review_rule_backlog (
  organization_id uuid PRIMARY KEY
);
INSERT INTO review_rule_backlog SELECT id FROM organizations;

-- Adds findings to the counts of their rules: as they are now with sign 1, as they were with -1. Rows are taken in one order, so
-- that two writers never wait for each other in turn. Whoever counts anew locks writers out.
CREATE FUNCTION add_rule_counts(findings jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
BEGIN
  -- A backup has the counts as well as the findings.
  IF current_setting('postil.restoring', true) = 'on' THEN
    RETURN;
  END IF;
  FOR organization IN
    SELECT DISTINCT (f->>'organization_id')::uuid FROM jsonb_array_elements(findings) f ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('review rules of ' || organization, 0));
  END LOOP;
  WITH counts AS (
    -- The rules that a finding names, each once; nodes of an earlier version name only the source.
    SELECT DISTINCT f.place, f.sign, f.organization_id, f.repository_id, f.pull_request, rule, f.is_posted, f.accepted, f.chance
    FROM ROWS FROM (jsonb_to_recordset(findings) AS (sign integer, organization_id uuid, repository_id uuid, pull_request integer,
        is_posted boolean, accepted boolean, chance numeric, rules text[], source_kind text, source_name text))
      WITH ORDINALITY AS f (sign, organization_id, repository_id, pull_request, is_posted, accepted, chance, rules, source_kind,
        source_name, place),
      unnest(coalesce(f.rules, CASE f.source_kind WHEN 'rule' THEN ARRAY[f.source_name] ELSE '{}' END)) rule
  ), changes AS (
    SELECT c.organization_id, c.rule, c.repository_id, c.pull_request,
      sum(c.sign) FILTER (WHERE c.pull_request IS NOT NULL) AS raised,
      sum(c.sign) FILTER (WHERE c.is_posted) AS posted,
      sum(c.sign) FILTER (WHERE c.accepted) AS accepted,
      sum(c.sign) FILTER (WHERE NOT c.accepted) AS rejected,
      sum(c.sign) FILTER (WHERE c.is_posted AND c.accepted IS NULL) AS unknown,
      sum(c.sign) FILTER (WHERE c.chance IS NOT NULL) AS chances,
      sum(c.sign * c.chance) AS chance_sum,
      coalesce(sum(c.sign) FILTER (WHERE c.accepted IS NOT NULL), 0) AS known
    FROM counts c GROUP BY c.organization_id, c.rule, c.repository_id, c.pull_request
  ), pulls AS (
    INSERT INTO review_rule_pull_requests AS p (organization_id, rule, repository_id, pull_request, known)
    SELECT c.organization_id, c.rule, c.repository_id, c.pull_request, c.known FROM changes c
    WHERE c.pull_request IS NOT NULL AND c.known <> 0
    ORDER BY c.organization_id, c.rule, c.repository_id, c.pull_request
    ON CONFLICT (organization_id, rule, repository_id, pull_request) DO UPDATE SET known = p.known + excluded.known
    RETURNING p.organization_id, p.rule, p.repository_id, p.pull_request, p.known
  ), sums AS (
    SELECT c.organization_id, c.rule, coalesce(sum(c.raised), 0) AS raised, coalesce(sum(c.posted), 0) AS posted,
      coalesce(sum(c.accepted), 0) AS accepted, coalesce(sum(c.rejected), 0) AS rejected, coalesce(sum(c.unknown), 0) AS unknown,
      coalesce(sum(c.chances), 0) AS chances, coalesce(sum(c.chance_sum), 0) AS chance_sum,
      coalesce(sum((p.known > 0)::integer - (p.known - c.known > 0)::integer), 0) AS pull_requests
    FROM changes c LEFT JOIN pulls p USING (organization_id, rule, repository_id, pull_request)
    GROUP BY c.organization_id, c.rule
  )
  INSERT INTO review_rules AS r (organization_id, rule, raised, posted, accepted, rejected, unknown, chances, chance_sum, pull_requests)
  SELECT s.organization_id, s.rule, s.raised, s.posted, s.accepted, s.rejected, s.unknown, s.chances, s.chance_sum, s.pull_requests
  FROM sums s
  WHERE (s.raised, s.posted, s.accepted, s.rejected, s.unknown, s.chances, s.chance_sum, s.pull_requests)
    <> (0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY s.organization_id, s.rule
  ON CONFLICT (organization_id, rule) DO UPDATE SET raised = r.raised + excluded.raised, posted = r.posted + excluded.posted,
    accepted = r.accepted + excluded.accepted, rejected = r.rejected + excluded.rejected, unknown = r.unknown + excluded.unknown,
    chances = r.chances + excluded.chances, chance_sum = r.chance_sum + excluded.chance_sum,
    pull_requests = r.pull_requests + excluded.pull_requests;
END $$;

-- What is counted of one version of a finding.
CREATE FUNCTION counted_finding(f review_findings, sign integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('sign', sign, 'organization_id', f.organization_id, 'repository_id', f.repository_id,
    'pull_request', f.pull_request, 'is_posted', f.comment_id IS NOT NULL, 'accepted', f.accepted, 'chance', f.chance,
    'rules', f.rules, 'source_kind', f.source_kind, 'source_name', f.source_name)
$$;

CREATE FUNCTION count_new_findings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted_finding(f, 1)) FROM after_rows f));
  RETURN NULL;
END $$;
CREATE FUNCTION count_changed_findings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted) FROM (
    SELECT counted_finding(f, 1) AS counted FROM after_rows f UNION ALL SELECT counted_finding(f, -1) FROM before_rows f) versions));
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_findings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(counted_finding(f, -1)) FROM before_rows f));
  RETURN NULL;
END $$;
CREATE TRIGGER review_findings_count_new AFTER INSERT ON review_findings
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_findings();
CREATE TRIGGER review_findings_count_changed AFTER UPDATE ON review_findings
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_findings();
CREATE TRIGGER review_findings_count_removed AFTER DELETE ON review_findings
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION count_removed_findings();

-- Findings of a run on a diff are posted nowhere; what people say of them counts all the same.
CREATE FUNCTION count_judged_findings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_rule_counts((SELECT jsonb_agg(to_jsonb(versions)) FROM (
    SELECT 1 AS sign, organization_id, rules, source_kind, source_name, accepted, false AS is_posted FROM after_rows
    UNION ALL
    SELECT -1, organization_id, rules, source_kind, source_name, accepted, false FROM before_rows) versions
    WHERE accepted IS NOT NULL));
  RETURN NULL;
END $$;
CREATE TRIGGER review_run_findings_count_judged AFTER UPDATE ON review_run_findings
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_judged_findings();
