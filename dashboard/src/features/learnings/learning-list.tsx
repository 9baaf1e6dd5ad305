import { Button, Select } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import { VirtualList } from '../../components/lists/virtual-list.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { downloadLearnings } from './download-learnings.ts';
import { LearningCard } from './learning-card.tsx';
import { LearningHealth } from './learning-health.tsx';
import { AlikeList } from './upkeep/alike-list.tsx';
import { CitingButton } from './upkeep/citing-button.tsx';
import { RetireButton } from './upkeep/retire-button.tsx';
import { StaleText } from './upkeep/stale-text.tsx';
import type { UsagePage } from './wire.ts';

const orders = [
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
  { value: '-uses', label: 'Most used' },
  { value: '-used', label: 'Most recently used' },
  { value: '-contradicted', label: 'Most contradicted' },
];

/** The shared and approved Learnings and how they are used, with filters and order in the URL. */
export function LearningList({ view }: { view: View }) {
  const [{ search, repository, health, sort }, change] = useFilters();
  const filters = { search, repository_id: repository, health, sort };
  const query = usePages<UsagePage>(['learnings', view.id, filters], 'learnings/usage', view, {
    ...filters,
    limit: 50,
  });
  const download = useAction(() => downloadLearnings(view, { search, repository_ids: repository }), {
    invalidates: [],
  });
  return (
    <>
      <LearningHealth view={view} />
      <FilterGrid>
        <FilterText label="Text" placeholder="Part of the text" />
        <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
        <Select
          label="Order"
          data={orders}
          value={sort ?? '-created'}
          allowDeselect={false}
          onChange={(value) => change({ sort: value === '-created' ? undefined : (value ?? undefined) })}
        />
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate(undefined)}>
          Export CSV
        </Button>
      </FilterGrid>
      <QueryState query={query}>
        {({ pages }) => {
          const learnings = pages.flatMap(({ data }) => data);
          return learnings.length === 0 ? (
            <NoLearnings health={health} />
          ) : (
            <VirtualList rows={learnings} rowKey={({ id }) => id} estimatedHeight={96} more={query}>
              {(learning) => (
                <LearningCard
                  view={view}
                  learning={learning}
                  actions={<RetireButton view={view} learning={learning} />}
                >
                  {(mayWrite) => (
                    <>
                      <StaleText learning={learning} />
                      <CitingButton view={view} learning={learning} />
                      <AlikeList view={view} learning={learning} mayWrite={mayWrite} />
                    </>
                  )}
                </LearningCard>
              )}
            </VirtualList>
          );
        }}
      </QueryState>
    </>
  );
}

const nothingThere: Readonly<Record<string, string>> = {
  stale: 'Every Learning was used or created in the last 90 days, and the files they apply to still exist.',
  duplicate: 'No two Learnings seem to be duplicates. New and changed ones are compared within a minute.',
  conflict:
    'No two Learnings seem to contradict each other. New and changed ones are compared within a minute.',
  retired: 'Retire a Learning that reviews should no longer follow. It can be restored from here.',
};

/** Why the list is empty, and what would change that. */
function NoLearnings({ health }: { health: string | undefined }) {
  return (
    <Empty title="No Learnings">
      {nothingThere[health ?? ''] ??
        'Learnings come from conversations on pull requests, from this page and from the API. Write one, import a CSV file, or change the filters.'}
    </Empty>
  );
}
