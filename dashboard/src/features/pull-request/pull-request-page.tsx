import { Badge, Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { InsightLink, repositoryPage } from '../insights/insight-link.tsx';
import { Outcomes } from '../insights/pull-requests/outcomes.tsx';
import { Trail } from '../insights/trail.tsx';
import { RunActions } from '../reviews/run-actions.tsx';
import { useProgress } from '../reviews/use-progress.ts';
import type { Run } from '../reviews/wire.ts';
import { DiffTab } from './diff/diff-tab.tsx';
import { ConversationTab } from './history/conversation-tab.tsx';
import { RunHistory } from './history/run-history.tsx';
import { ReportTab } from './report/report-tab.tsx';
import { type PullRequest, runToShow } from './wire.ts';

const stateColors = { open: 'teal', merged: 'indigo', closed: 'gray' } as const;
const fixPollMs = 1_500;

/**
 * One pull request: the report of its review, its diff with findings at their lines, its reviews over time, and the conversation.
 */
export default function PullRequestPage() {
  const view = useView();
  const { repository, number } = useParams({ strict: false }) as { repository: string; number: string };
  const path = `pull-requests/${encodeURIComponent(repository)}/${encodeURIComponent(number)}`;
  const query = useQuery({
    queryKey: ['pull-request', view.id, repository, number],
    queryFn: () => api<PullRequest>('GET', path, { scope: view }),
  });
  const [{ run: chosen }] = useFilters();
  const shown = query.data && runToShow(query.data.runs, chosen);
  const review = useQuery({
    queryKey: ['review', view.id, shown?.id],
    queryFn: () => api<Run>('GET', `reviews/${shown!.id}`, { scope: view }),
    enabled: shown !== undefined,
    refetchInterval: ({ state }) => (state.data?.fix?.status === 'waiting' ? fixPollMs : false),
  });
  useProgress(view, review.data === undefined ? [] : [review.data], () =>
    Promise.all([review.refetch(), query.refetch()]),
  );
  const pull = query.data;
  return (
    <>
      <PageTitle
        title={pull?.title ?? (pull === undefined ? `#${number}` : `${pull.repository_name} #${number}`)}
      >
        {review.data !== undefined && <RunActions run={review.data} view={view} />}
        {pull !== undefined && (
          <Button component="a" variant="default" href={pull.url} rel="noreferrer">
            Open at the host
          </Button>
        )}
      </PageTitle>
      <Trail here={`#${number}`}>
        <InsightLink page={repositoryPage(repository)}>{pull?.repository_name ?? 'Repository'}</InsightLink>
      </Trail>
      <QueryState query={query}>
        {(found) => (
          <>
            <Facts pull={found} />
            {shown === undefined ? (
              <NotReviewed view={view} pull={found} />
            ) : (
              <QueryState query={review}>
                {(run) => <Reviewed pull={found} run={run} view={view} />}
              </QueryState>
            )}
          </>
        )}
      </QueryState>
    </>
  );
}

function Facts({ pull }: { pull: PullRequest }) {
  const facts = [
    pull.author !== null && `by ${pull.author}`,
    pull.base_branch !== null && `into ${pull.base_branch}`,
    pull.is_fork && 'from a fork',
  ].filter((fact) => typeof fact === 'string');
  return (
    <Group gap="xs" mb="md">
      <Badge color={stateColors[pull.state]}>{humanize(pull.state)}</Badge>
      {pull.is_draft && <Badge color="gray">Draft</Badge>}
      {pull.title !== null && (
        <Text>
          {pull.repository_name} #{pull.number}
        </Text>
      )}
      {facts.length > 0 && <Text c="dimmed">{facts.join(' ')}</Text>}
      {pull.labels.map((label) => (
        <Badge key={label} color="gray">
          {label}
        </Badge>
      ))}
    </Group>
  );
}

function NotReviewed({ view, pull }: { view: View; pull: PullRequest }) {
  if (view.isEnterprise) return <Outcomes repository={pull.repository_id} number={pull.number} />;
  return <Empty title="Not reviewed yet">Open pull requests are reviewed on every push.</Empty>;
}

const tabs = new Set(['report', 'changes', 'reviews', 'conversation', 'outcomes']);

function Reviewed({ pull, run, view }: { pull: PullRequest; run: Run; view: View }) {
  const [{ tab }, change] = useFilters();
  const isOld =
    pull.state === 'open' && pull.head_revision !== null && run.head_revision !== pull.head_revision;
  return (
    <>
      {isOld && (
        <Text mb="sm" role="status">
          This is the review of {run.head_revision?.slice(0, 10) ?? 'an earlier commit'}; the pull request has
          newer commits.
        </Text>
      )}
      <Tabs
        value={tab !== undefined && tabs.has(tab) ? tab : 'report'}
        onChange={(value) => change({ tab: value === 'report' || value === null ? undefined : value })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="report">Report</Tabs.Tab>
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          <Tabs.Tab value="reviews">Reviews ({formatNumber(pull.run_count)})</Tabs.Tab>
          <Tabs.Tab value="conversation">Conversation</Tabs.Tab>
          {view.isEnterprise && <Tabs.Tab value="outcomes">Outcomes</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="report">
          <ReportTab run={run} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <DiffTab run={run} view={view} mayReadCode={pull.may_read_code} />
        </Tabs.Panel>
        <Tabs.Panel value="reviews">
          <RunHistory pull={pull} shown={run.id} view={view} />
        </Tabs.Panel>
        <Tabs.Panel value="conversation">
          <ConversationTab pull={pull} view={view} />
        </Tabs.Panel>
        {view.isEnterprise && (
          <Tabs.Panel value="outcomes">
            <Outcomes repository={pull.repository_id} number={pull.number} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
