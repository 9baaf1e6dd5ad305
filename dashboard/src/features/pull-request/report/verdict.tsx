import { Badge, Group, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatPercent, humanize } from '../../../lib/format.ts';
import { severities, severityColors } from '../../../lib/severities.ts';
import { isUnfinished, type Run, statusColors } from '../../reviews/wire.ts';
import type { Report } from '../wire.ts';

const riskColors = { low: 'teal', medium: 'orange', high: 'red' } as const;

/** One sentence about a review. */
function verdictOf(run: Run): string {
  if (isUnfinished(run)) return 'The review is in progress';
  const open = openIn(run);
  const grave = open.filter(({ severity }) => severity === 'critical' || severity === 'major').length;
  const found =
    open.length === 0
      ? 'no open findings'
      : `${open.length} open ${open.length === 1 ? 'finding' : 'findings'}`;
  if (run.status === 'degraded') return `Not everything was reviewed; ${found}`;
  if (run.status !== 'succeeded') return `No result: ${run.status}`;
  if (open.length === 0) return 'No open findings';
  return grave === 0
    ? `${humanize(found)}, none of them critical or major`
    : `${humanize(found)}, ${grave} critical or major`;
}

/** The findings that count: open ones that are not quiet. */
function openIn(run: Run) {
  const quiet = new Set(run.report?.quiet.map(({ finding_id }) => finding_id));
  return run.findings.filter(({ state, finding_id }) => state === 'open' && !quiet.has(finding_id));
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}

/** How the newest review of a pull request ended, at a glance. */
export function Verdict({ run }: { run: Run }) {
  const { report } = run;
  const open = openIn(run);
  return (
    <Paper withBorder p="lg" component="section" aria-label="Verdict">
      <Group gap="xs" mb="sm">
        <Badge color={statusColors[run.status]}>{humanize(run.status)}</Badge>
        <Text fw={600} size="lg">
          {verdictOf(run)}
        </Text>
        {severities.map((severity) => {
          const count = open.filter((finding) => finding.severity === severity).length;
          return count === 0 ? null : (
            <Badge key={severity} color={severityColors[severity]}>
              {count} {severity}
            </Badge>
          );
        })}
        {run.release === 'waiting' && <Badge color="orange">Waiting for release</Badge>}
      </Group>
      {run.reason !== null && (
        <Text mb="sm" style={{ overflowWrap: 'anywhere' }}>
          {run.reason}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} component="dl" m={0}>
        {report !== null && (
          <Fact label="Risk">
            <Badge color={riskColors[report.risk.level]}>{humanize(report.risk.level)}</Badge>
            {report.risk.reasons.length > 0 && ` ${report.risk.reasons.join('; ')}`}
          </Fact>
        )}
        {report !== null && report.reviewers.length > 0 && (
          <Fact label="Suggested reviewers">
            <Reviewers reviewers={report.reviewers} />
          </Fact>
        )}
        {run.estimated_complexity !== null && (
          <Fact label="Complexity">
            {run.estimated_complexity} of 5, about {run.estimated_review_minutes ?? '–'} min to review
          </Fact>
        )}
        {run.head_revision !== null && <Fact label="Reviewed commit">{run.head_revision.slice(0, 12)}</Fact>}
      </SimpleGrid>
      {run.notes.map((note) => (
        <Text key={note} size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      ))}
    </Paper>
  );
}

function Reviewers({ reviewers }: Pick<Report, 'reviewers'>) {
  return (
    <Stack gap={0} component="span">
      {reviewers.map(({ username, reason, share }) => (
        <span key={username} title={formatPercent(share)}>
          <strong>{username}</strong> {reason}
        </span>
      ))}
    </Stack>
  );
}

/** Files that usually change with those of the change. */
export function Together({ report }: { report: Report }) {
  if (report.together.length === 0) return null;
  const more = report.total_together - report.together.length;
  return (
    <List size="sm">
      {report.together.map(({ path, usually_with, times, of }) => (
        <List.Item key={`${path}\0${usually_with}`} style={{ overflowWrap: 'anywhere' }}>
          {usually_with} changed with {path} {times} of {of} times, but not here
        </List.Item>
      ))}
      {more > 0 && <List.Item>and {more} more</List.Item>}
    </List>
  );
}
