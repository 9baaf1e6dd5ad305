import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { FilterText } from '../../components/filter-text.tsx';
import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { useRepositories } from '../../lib/repositories.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { downloadLearnings } from './download-learnings.ts';
import { LearningCard } from './learning-card.tsx';
import type { LearningPage } from './wire.ts';

const usage = [
  { value: 'total', label: 'All' },
  { value: 'active', label: 'Used in the last 30 days' },
  { value: 'never_used', label: 'Never used' },
  { value: 'created_this_week', label: 'Created this week' },
];

/** The shared and approved Learnings, with filters in the URL. */
export function LearningList({ view }: { view: View }) {
  const [{ search, repository, used }, change] = useFilters();
  const repositories = useRepositories(view);
  const filters = { search, repository_ids: repository, stat_filter: used };
  const query = usePages<LearningPage>(['learnings', view.id, filters], 'learnings', view, {
    ...filters,
    limit: 50,
  });
  const download = useAction(() => downloadLearnings(view, filters), { invalidates: [] });
  return (
    <>
      <Group mb="md" align="flex-end" gap="xs">
        <FilterText label="Text" placeholder="Part of the text" />
        {repositories.length > 0 && (
          <Select
            label="Repository"
            placeholder="All"
            clearable
            searchable
            data={repositories}
            value={repository ?? null}
            onChange={(value) => change({ repository: value ?? undefined })}
          />
        )}
        <Select
          label="Usage"
          data={usage}
          value={used ?? 'total'}
          allowDeselect={false}
          onChange={(value) => change({ used: value === 'total' ? undefined : (value ?? undefined) })}
        />
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate(undefined)}>
          Export CSV
        </Button>
      </Group>
      <QueryState query={query}>
        {({ pages }) => {
          const learnings = pages.flatMap(({ data }) => data);
          if (learnings.length === 0) {
            return (
              <Empty title="No Learnings">
                Learnings come from chat and from the API. Import a CSV file, or change the filters.
              </Empty>
            );
          }
          return (
            <>
              <Text size="sm" c="dimmed" mb="xs" role="status">
                {learnings.length}
                {query.hasNextPage ? '+' : ''} {learnings.length === 1 ? 'Learning' : 'Learnings'}
              </Text>
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {learnings.map((learning) => (
                  <LearningCard key={learning.id} view={view} learning={learning} />
                ))}
              </Stack>
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
