import { Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePages } from '../../components/lists/load-more.tsx';
import {
  SelectBox,
  type Selection,
  useSelectedIds,
  useSelection,
} from '../../components/lists/selection.tsx';
import { VirtualList } from '../../components/lists/virtual-list.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatNumber, formatRelativeTime } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { DecisionButtons } from './decision-buttons.tsx';
import { LearningFacts } from './learning-card.tsx';
import type { PendingLearning, PendingPage } from './wire.ts';

/** How many Learnings await a decision; none for people who cannot decide. */
export function usePendingCount(view: View): number {
  const { data } = useQuery({
    queryKey: ['pending', view.id, 'count'],
    queryFn: () => api<PendingPage>('GET', 'learnings/pending', { scope: view, query: { limit: 1 } }),
    enabled: view.isAdmin,
  });
  return data?.total ?? 0;
}

/** Learnings from chat that await an admin's decision, most urgent first; several can be decided at once. */
export function ApprovalQueue({ view }: { view: View }) {
  const query = usePages<PendingPage>(['pending', view.id], 'learnings/pending', view, {});
  const selection = useSelection();
  return (
    <QueryState query={query}>
      {({ pages }) => {
        const learnings = pages.flatMap(({ data }) => data);
        return learnings.length === 0 ? (
          <Empty title="Nothing is waiting for approval">
            Learnings from conversations on pull requests appear here if the settings of the organization or
            repository have an approval delay.
          </Empty>
        ) : (
          <>
            <Decisions
              view={view}
              learnings={learnings}
              total={pages[0]!.total ?? learnings.length}
              selection={selection}
            />
            <VirtualList rows={learnings} rowKey={({ id }) => id} estimatedHeight={110} more={query}>
              {(learning) => <PendingCard view={view} learning={learning} selection={selection} />}
            </VirtualList>
          </>
        );
      }}
    </QueryState>
  );
}

function Decisions({
  view,
  learnings,
  total,
  selection,
}: {
  view: View;
  learnings: readonly PendingLearning[];
  total: number;
  selection: Selection;
}) {
  const selected = useSelectedIds(selection);
  const picked = learnings.filter(({ id }) => selected.has(id));
  const isAll = picked.length === learnings.length;
  const all = learnings.length < total ? `Select ${formatNumber(learnings.length)} loaded` : 'Select all';
  return (
    <Group mb="md" gap="sm">
      <Checkbox
        label={picked.length === 0 ? all : `${formatNumber(picked.length)} selected`}
        checked={isAll}
        indeterminate={picked.length > 0 && !isAll}
        onChange={() => selection.replace(isAll ? [] : learnings.map(({ id }) => id))}
      />
      <DecisionButtons view={view} picked={picked} onDecided={() => selection.replace([])} />
      <Text c="dimmed">{formatNumber(total)} pending</Text>
    </Group>
  );
}

function PendingCard({
  view,
  learning,
  selection,
}: {
  view: View;
  learning: PendingLearning;
  selection: Selection;
}) {
  return (
    <Paper withBorder p="md">
      <Group align="flex-start" wrap="nowrap">
        <SelectBox selection={selection} id={learning.id} label={learning.learning.slice(0, 80)} />
        <Stack gap="xxs" flex={1}>
          <Text style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>{learning.learning}</Text>
          <LearningFacts view={view} learning={learning} />
          <Text size="xs" fw={600}>
            Will be approved automatically {formatRelativeTime(learning.approval_deadline)} (
            {formatInstant(learning.approval_deadline)})
          </Text>
        </Stack>
      </Group>
    </Paper>
  );
}
