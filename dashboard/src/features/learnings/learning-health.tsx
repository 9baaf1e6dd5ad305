import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/query-state.tsx';
import { FilterTile } from '../../components/tile.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { UsageSummary } from './wire.ts';

const groups = [
  { health: undefined, count: 'total', label: 'All', about: 'Shared and approved' },
  { health: 'used', count: 'used', label: 'Used', about: 'In reviews of the last 90 days' },
  { health: 'followed', count: 'followed', label: 'Followed', about: 'A comment citing it was accepted' },
  {
    health: 'contradicted',
    count: 'contradicted',
    label: 'Contradicted',
    about: 'A comment citing it was not accepted',
  },
  {
    health: 'stale',
    count: 'stale',
    label: 'Stale',
    about: 'Not used for 90 days, or its file no longer exists',
  },
  {
    health: 'duplicate',
    count: 'duplicate',
    label: 'Possible duplicates',
    about: 'Another one is very similar',
  },
  {
    health: 'conflict',
    count: 'conflict',
    label: 'Possible conflicts',
    about: 'Another one says the opposite',
  },
  { health: 'retired', count: 'retired', label: 'Retired', about: 'Reviews no longer follow them' },
] as const;

/** How many Learnings are used and followed, and how many need attention; each number filters the list. */
export function LearningHealth({ view }: { view: View }) {
  const [{ health }, change] = useFilters();
  const query = useQuery({
    queryKey: ['learnings', view.id, 'health'],
    queryFn: () => api<UsageSummary>('GET', 'learnings/health', { scope: view }),
  });
  return (
    <QueryState query={query} lines={1}>
      {(summary) => (
        <SimpleGrid cols={{ base: 2, sm: 4 }} mb="lg">
          {groups.map((group) => (
            <FilterTile
              key={group.label}
              label={group.label}
              value={formatNumber(summary[group.count])}
              about={group.about}
              isChosen={health === group.health}
              onChoose={() => change({ health: group.health })}
            />
          ))}
        </SimpleGrid>
      )}
    </QueryState>
  );
}
