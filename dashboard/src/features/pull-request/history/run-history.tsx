import { Badge, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InlineCode } from '../../../components/inline-code.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import { formatInstant, formatNumber, humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import type { View } from '../../../lib/session.ts';
import { severityColors } from '../../../lib/severities.ts';
import { formatElapsed } from '../../insights/measures/durations.ts';
import { statusColors } from '../../reviews/wire.ts';
import type { PullRequest, RunComparison, RunOverTime } from '../wire.ts';

/** The reviews of a pull request, newest first, and what changed from one to the next. */
export function RunHistory({ pull, shown, view }: { pull: PullRequest; shown: string; view: View }) {
  return (
    <section aria-labelledby="reviews-over-time">
      <Title order={2} mb="sm" id="reviews-over-time">
        Reviews ({formatNumber(pull.run_count)})
      </Title>
      {pull.runs.length < pull.run_count && (
        <Text c="dimmed" mb="sm">
          The newest {formatNumber(pull.runs.length)} are listed.
        </Text>
      )}
      <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {pull.runs.map((run) => (
          <RunEntry key={run.id} run={run} isShown={run.id === shown} view={view} />
        ))}
      </Stack>
    </section>
  );
}

function RunEntry({ run, isShown, view }: { run: RunOverTime; isShown: boolean; view: View }) {
  const [, change] = useFilters();
  const [isOpen, setOpen] = useState(false);
  const { since } = run;
  const hasResult = run.status === 'succeeded' || run.status === 'degraded';
  return (
    <Paper withBorder p="md" component="li" {...(isShown && { className: 'chosen' })}>
      <Group gap="xs">
        <Badge color={statusColors[run.status]}>{humanize(run.status)}</Badge>
        <PageLink to={`/organizations/${view.id}/reviews/${run.id}`}>
          {formatInstant(run.created_at)}
        </PageLink>
        <Text size="sm" c="dimmed">
          {humanize(run.trigger)} · {formatElapsed(run.started_at, run.finished_at)}
          {run.head_revision !== null && ` · ${run.head_revision.slice(0, 10)}`}
          {run.calls > 0 && ` · $${run.cost_usd.toFixed(2)}`}
        </Text>
      </Group>
      {run.reason !== null && (
        <Text size="sm" mt="xxs" style={{ overflowWrap: 'anywhere' }}>
          {run.reason}
        </Text>
      )}
      {hasResult && (
        <Text size="sm" mt="xxs">
          {since === null
            ? `${formatNumber(run.findings)} findings`
            : `${formatNumber(since.added)} new, ${formatNumber(since.gone)} gone, ${formatNumber(since.kept)} unchanged`}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {since !== null && (
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            aria-label={`What changed with the review of ${formatInstant(run.created_at)}`}
          >
            What changed
          </Button>
        )}
        {hasResult && !isShown && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => change({ run: run.id, tab: undefined })}
            aria-label={`Show this review: ${formatInstant(run.created_at)}`}
          >
            Show this review
          </Button>
        )}
        {isShown && <Text size="xs">Shown on this page</Text>}
      </Group>
      {isOpen && <Comparison runId={run.id} view={view} />}
    </Paper>
  );
}

function Comparison({ runId, view }: { runId: string; view: View }) {
  const query = useQuery({
    queryKey: ['comparison', view.id, runId],
    queryFn: () => api<RunComparison>('GET', `reviews/${runId}/comparison`, { scope: view }),
  });
  return (
    <QueryState query={query} lines={2}>
      {({ added, gone, kept }) => (
        <>
          <Named title="New" findings={added} />
          <Named title="Gone" findings={gone} />
          <Text size="sm" mt="xs">
            Unchanged: {formatNumber(kept)}
          </Text>
        </>
      )}
    </QueryState>
  );
}

function Named({ title, findings }: { title: string; findings: RunComparison['added'] }) {
  if (findings.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="xs">
        {title}
      </Text>
      <List size="sm" aria-label={`${title} findings`}>
        {findings.map(({ finding_id, title: name, severity, path, start_line }) => (
          <List.Item key={finding_id} style={{ overflowWrap: 'anywhere' }}>
            <Badge color={severityColors[severity]}>{humanize(severity)}</Badge> <InlineCode text={name} />{' '}
            <Text span ff="monospace" size="xs">
              {path}
              {start_line !== null && `:${start_line}`}
            </Text>
          </List.Item>
        ))}
      </List>
    </>
  );
}
