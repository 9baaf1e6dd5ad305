import { Badge, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty, QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import { formatInstant, formatNumber, humanize } from '../../../lib/format.ts';
import { useView } from '../../../lib/session.ts';
import { CommentCard } from '../comments/comment-card.tsx';
import { InsightLink } from '../insight-link.tsx';
import { formatElapsed } from '../measures/durations.ts';
import type { PullRequest } from '../wire.ts';

/** The times of a pull request, its comments and their outcomes. */
export function Outcomes({ repository, number }: { repository: string; number: number }) {
  const view = useView();
  const path = `insights/pull-requests/${encodeURIComponent(repository)}/${number}`;
  const queryKey = ['insight-pull-request', view.id, repository, number];
  const query = useQuery({
    queryKey,
    queryFn: () => api<PullRequest>('GET', path, { scope: view }),
  });
  return (
    <QueryState query={query}>
      {(pullRequest) => (
        <Stack gap="lg">
          <Facts pullRequest={pullRequest} />
          <section aria-labelledby="comments">
            <Title order={2} mb="sm" id="comments">
              Comments ({formatNumber(pullRequest.comments.length)})
            </Title>
            {pullRequest.comments.length === 0 ? (
              <Empty title="No comments">No reviewer has commented on this pull request.</Empty>
            ) : (
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {pullRequest.comments.map((comment) => (
                  <CommentCard
                    key={comment.finding_id}
                    comment={comment}
                    pullRequestPath={path}
                    invalidates={[queryKey]}
                  />
                ))}
              </Stack>
            )}
          </section>
        </Stack>
      )}
    </QueryState>
  );
}

const stateColors = { open: 'teal', merged: 'indigo', closed: 'gray' } as const;

function Facts({ pullRequest }: { pullRequest: PullRequest }) {
  const start = pullRequest.ready_for_review_at ?? pullRequest.created_at;
  const { author_id, author_name } = pullRequest;
  const facts = [
    ['Created', formatInstant(pullRequest.created_at)],
    ['Ready for review', formatInstant(pullRequest.ready_for_review_at)],
    [
      'First review by a person',
      `${formatInstant(pullRequest.first_human_review_at)}${after(start, pullRequest.first_human_review_at)}`,
    ],
    ['Last commit', formatInstant(pullRequest.last_commit_at)],
    pullRequest.state === 'closed'
      ? ['Closed', `${formatInstant(pullRequest.closed_at)}${after(start, pullRequest.closed_at)}`]
      : ['Merged', `${formatInstant(pullRequest.merged_at)}${after(start, pullRequest.merged_at)}`],
    [
      'Iterations',
      pullRequest.review_iterations === null ? '–' : formatNumber(pullRequest.review_iterations),
    ],
    [
      'Complexity',
      pullRequest.estimated_complexity === null ? '–' : `${pullRequest.estimated_complexity} of 5`,
    ],
  ] as const;
  return (
    <Paper withBorder p="lg">
      <Badge color={stateColors[pullRequest.state]} mb="md">
        {humanize(pullRequest.state)}
      </Badge>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} component="dl" m={0}>
        <div>
          <Text component="dt" size="sm" c="dimmed">
            Author
          </Text>
          <Text component="dd" m={0}>
            {author_id === null ? (
              '–'
            ) : (
              <InsightLink page="pull-requests" filters={{ author: author_id }}>
                {author_name ?? author_id}
              </InsightLink>
            )}
          </Text>
        </div>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function after(start: string | null, end: string | null): string {
  return start === null || end === null ? '' : ` (after ${formatElapsed(start, end)})`;
}
