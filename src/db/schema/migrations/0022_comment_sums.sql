-- Sums of the comments on merged pull requests, for the overview (ADR 0014). The counts of all spans of 1, 4, 16, 64 and 256 days are
-- kept, so that any window is the sum of few rows.
CREATE TABLE repository_comment_sums (
  organization_id uuid NOT NULL,
  span integer NOT NULL,
  repository_id uuid NOT NULL,
  posted bigint NOT NULL,
  accepted bigint NOT NULL,
  not_accepted bigint NOT NULL,
  critical_posted bigint NOT NULL,
  critical_accepted bigint NOT NULL,
  critical_not_accepted bigint NOT NULL,
  major_posted bigint NOT NULL,
  major_accepted bigint NOT NULL,
  major_not_accepted bigint NOT NULL,
  minor_posted bigint NOT NULL,
  minor_accepted bigint NOT NULL,
  minor_not_accepted bigint NOT NULL,
  trivial_posted bigint NOT NULL,
  trivial_accepted bigint NOT NULL,
  trivial_not_accepted bigint NOT NULL,
  info_posted bigint NOT NULL,
  info_accepted bigint NOT NULL,
  info_not_accepted bigint NOT NULL,
  data_integrity_and_integration_posted bigint NOT NULL,
  data_integrity_and_integration_accepted bigint NOT NULL,
  data_integrity_and_integration_not_accepted bigint NOT NULL,
  functional_correctness_posted bigint NOT NULL,
  functional_correctness_accepted bigint NOT NULL,
  functional_correctness_not_accepted bigint NOT NULL,
  maintainability_and_code_quality_posted bigint NOT NULL,
  maintainability_and_code_quality_accepted bigint NOT NULL,
  maintainability_and_code_quality_not_accepted bigint NOT NULL,
  performance_and_scalability_posted bigint NOT NULL,
  performance_and_scalability_accepted bigint NOT NULL,
  performance_and_scalability_not_accepted bigint NOT NULL,
  security_and_privacy_posted bigint NOT NULL,
  security_and_privacy_accepted bigint NOT NULL,
  security_and_privacy_not_accepted bigint NOT NULL,
  stability_and_availability_posted bigint NOT NULL,
  stability_and_availability_accepted bigint NOT NULL,
  stability_and_availability_not_accepted bigint NOT NULL,
  PRIMARY KEY (organization_id, span, repository_id)
) WITH (fillfactor = 80);

CREATE TABLE organization_comment_sums (
  organization_id uuid NOT NULL,
  span integer NOT NULL,
  posted bigint NOT NULL,
  accepted bigint NOT NULL,
  not_accepted bigint NOT NULL,
  critical_posted bigint NOT NULL,
  critical_accepted bigint NOT NULL,
  critical_not_accepted bigint NOT NULL,
  major_posted bigint NOT NULL,
  major_accepted bigint NOT NULL,
  major_not_accepted bigint NOT NULL,
  minor_posted bigint NOT NULL,
  minor_accepted bigint NOT NULL,
  minor_not_accepted bigint NOT NULL,
  trivial_posted bigint NOT NULL,
  trivial_accepted bigint NOT NULL,
  trivial_not_accepted bigint NOT NULL,
  info_posted bigint NOT NULL,
  info_accepted bigint NOT NULL,
  info_not_accepted bigint NOT NULL,
  data_integrity_and_integration_posted bigint NOT NULL,
  data_integrity_and_integration_accepted bigint NOT NULL,
  data_integrity_and_integration_not_accepted bigint NOT NULL,
  functional_correctness_posted bigint NOT NULL,
  functional_correctness_accepted bigint NOT NULL,
  functional_correctness_not_accepted bigint NOT NULL,
  maintainability_and_code_quality_posted bigint NOT NULL,
  maintainability_and_code_quality_accepted bigint NOT NULL,
  maintainability_and_code_quality_not_accepted bigint NOT NULL,
  performance_and_scalability_posted bigint NOT NULL,
  performance_and_scalability_accepted bigint NOT NULL,
  performance_and_scalability_not_accepted bigint NOT NULL,
  security_and_privacy_posted bigint NOT NULL,
  security_and_privacy_accepted bigint NOT NULL,
  security_and_privacy_not_accepted bigint NOT NULL,
  stability_and_availability_posted bigint NOT NULL,
  stability_and_availability_accepted bigint NOT NULL,
  stability_and_availability_not_accepted bigint NOT NULL,
  PRIMARY KEY (organization_id, span)
) WITH (fillfactor = 80);

-- What transactions changed and no sum includes yet: a job adds it to the sums, and until then readers add it themselves.
CREATE TABLE comment_sum_changes (
  organization_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  repository_id uuid NOT NULL,
  day integer NOT NULL,
  counts integer[] NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- The repositories whose entries are still to be counted: at first all that exist. A row that is added later has its repository
-- counted again.
CREATE TABLE comment_sum_backlog (
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  PRIMARY KEY (organization_id, repository_id)
);
INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories;

COMMENT ON COLUMN repository_comment_sums.span IS 'Day number divided by the size of the span, plus 2^22 for each smaller size.';
COMMENT ON COLUMN organization_comment_sums.span IS 'Day number divided by the size of the span, plus 2^22 for each smaller size.';
COMMENT ON COLUMN comment_sum_changes.counts IS 'What is added to each column of counts, in their order.';
