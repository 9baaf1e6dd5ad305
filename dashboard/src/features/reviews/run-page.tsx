import { Badge, Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunStage } from '../../../../src/capabilities/reviews/runs/watching/run-progress.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatNumber, humanize } from '../../lib/format.ts';
import { useRepositoryNames } from '../../lib/repositories.ts';
import { useView, type View } from '../../lib/session.ts';
import { InsightLink, pullRequestPage, repositoryPage } from '../insights/insight-link.tsx';
import { CoverageTable } from './coverage-table.tsx';
import { FindingList } from './finding-list.tsx';
import { FixNote } from './fix.tsx';
import { Preexisting } from './preexisting.tsx';
import { RunActions } from './run-actions.tsx';
import { useProgress } from './use-progress.ts';
import {
  durationOf,
  isUnfinished,
  type Run,
  stageNames,
  statusColors,
  subjectOf,
  waitingIn,
} from './wire.ts';

const fixPollMs = 1_500;

/** One review: its result and the reason for it, its findings, and its coverage. */
export default function ReviewRunPage() {
  const view = useView();
  const { run: id } = useParams({ strict: false }) as { run: string };
  const query = useQuery({
    queryKey: ['review', view.id, id],
    queryFn: () => api<Run>('GET', `reviews/${id}`, { scope: view }),
    refetchInterval: ({ state }) => (state.data?.fix?.status === 'waiting' ? fixPollMs : false),
  });
  const stage = useProgress(view, query.data === undefined ? [] : [query.data], query.refetch)[id];
  return (
    <>
      <PageTitle title={query.data === undefined ? 'Review' : subjectOf(query.data)}>
        {query.data !== undefined && <RunActions run={query.data} view={view} />}
        {query.data !== undefined && query.data.pr_url !== null && (
          <Button component="a" variant="default" href={query.data.pr_url} rel="noreferrer">
            Open pull request
          </Button>
        )}
      </PageTitle>
      <Text mb="md">
        <PageLink to={`/organizations/${view.id}/reviews`}>All reviews</PageLink>
      </Text>
      <QueryState query={query}>{(run) => <RunDetails run={run} view={view} stage={stage} />}</QueryState>
    </>
  );
}

interface Shown {
  readonly run: Run;
  readonly view: View;
  /** The current stage, while the review is running. */
  readonly stage: RunStage | null | undefined;
}

function RunDetails({ run, view, stage }: Shown) {
  return (
    <Stack gap="lg">
      <Facts run={run} view={view} stage={stage} />
      {!isUnfinished(run) && (
        <>
          <section aria-labelledby="findings">
            <Title order={2} mb="sm" id="findings">
              Findings ({formatNumber(run.findings.length)})
            </Title>
            <FixNote fix={run.fix} />
            {waitingIn(run).length > 0 && (
              <Text mb="sm">
                {run.release === 'waiting'
                  ? 'Findings are not posted until a member releases them.'
                  : 'Findings that are not released count as dismissed.'}
              </Text>
            )}
            {run.findings.length === 0 ? (
              <Empty title="No findings">
                {run.status === 'succeeded'
                  ? 'Everything in scope was reviewed.'
                  : 'Not everything was reviewed. See above for the reason.'}
              </Empty>
            ) : (
              <FindingList run={run} />
            )}
          </section>
          {run.report !== null && <Preexisting report={run.report} />}
          {run.coverage.length > 0 && <CoverageTable coverage={run.coverage} />}
        </>
      )}
    </Stack>
  );
}

function Facts({ run, view, stage }: Shown) {
  const repository = useRepositoryNames(view, [run.repository_id]).get(run.repository_id);
  const { usage } = run;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      'Repository',
      view.isEnterprise ? (
        <InsightLink key="repository" page={repositoryPage(run.repository_id)}>
          {repository ?? run.repository_id}
        </InsightLink>
      ) : (
        (repository ?? run.repository_id)
      ),
    ],
    ...(run.pull_request !== null && view.isEnterprise
      ? [
          [
            'Pull request',
            <InsightLink key="pull-request" page={pullRequestPage(run.repository_id, run.pull_request)}>
              #{run.pull_request}
            </InsightLink>,
          ] as const,
        ]
      : []),
    ['Started by', `${humanize(run.trigger)}, ${run.mode}`],
    ['Requested', formatInstant(run.created_at)],
    ['Duration', durationOf(run)],
    ['Complexity', run.estimated_complexity === null ? '–' : `${run.estimated_complexity} of 5`],
    [
      'Estimated review time',
      run.estimated_review_minutes === null ? '–' : `About ${run.estimated_review_minutes} min`,
    ],
    ['Model', usage.model ?? 'None, rules only'],
    [
      'Model usage',
      usage.calls === 0
        ? '–'
        : `$${usage.cost_usd.toFixed(4)} · ${formatNumber(usage.input_tokens + usage.output_tokens)} tokens · ${usage.calls} calls`,
    ],
    ...(run.head_revision === null ? [] : [['Commit', run.head_revision.slice(0, 12)] as const]),
  ];
  return (
    <Paper withBorder p="lg">
      <Group gap="sm" mb="md" role="status">
        <Badge color={statusColors[run.status]}>{humanize(run.status)}</Badge>
        {isUnfinished(run) && <Loader size="xs" role="img" aria-label="In progress" />}
        {isUnfinished(run) && stage != null && <Text>{stageNames[stage]}</Text>}
        {run.release === 'waiting' && <Badge color="orange">Waiting for release</Badge>}
        {run.reason !== null && <Text style={{ wordBreak: 'break-word' }}>{run.reason}</Text>}
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} component="dl" m={0}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} style={{ wordBreak: 'break-word' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {run.notes.map((note) => (
        <Text key={note} size="sm" mt="xs" style={{ wordBreak: 'break-word' }}>
          {note}
        </Text>
      ))}
    </Paper>
  );
}
