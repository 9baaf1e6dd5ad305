import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatRelativeTime } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { LearningFacts } from './learning-card.tsx';
import { type DecisionResult, learningKeys, type PendingLearning, scopeOfLearning } from './wire.ts';

type Decision = 'approved' | 'disapproved';

function describeResults(decision: Decision, results: DecisionResult['results']): string {
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const late = results.length - done;
  return `${done} ${decision}${late > 0 ? `, ${late} already decided` : ''}`;
}

/** Learnings from chat that await an admin's decision, most urgent first; several can be decided at once. */
export function ApprovalQueue({
  view,
  query,
}: {
  view: View;
  query: UseQueryResult<{ data: PendingLearning[] }>;
}) {
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="Nothing is waiting for approval">
            Learnings from chat appear here if the settings of the organization or repository have an approval
            delay.
          </Empty>
        ) : (
          <Queue view={view} learnings={data} />
        )
      }
    </QueryState>
  );
}

function Queue({ view, learnings }: { view: View; learnings: readonly PendingLearning[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const picked = learnings.filter(({ id }) => selected.has(id));
  const decide = useAction(
    async (decision: Decision) => {
      const groups = Map.groupBy(picked, (learning) => scopeOfLearning(view, learning).id);
      const results: DecisionResult['results'] = [];
      for (const group of groups.values()) {
        const ids = group.map(({ id }) => id);
        const scope = scopeOfLearning(view, group[0]!);
        const answer = await api<DecisionResult>('POST', 'learnings/decisions', {
          scope,
          body: { decision, ids },
        });
        results.push(...answer.results);
      }
      setSelected(new Set());
      return describeResults(decision, results);
    },
    { invalidates: learningKeys(view), done: (message) => message },
  );
  function toggle(id: string) {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }
  const isAll = picked.length === learnings.length;
  return (
    <>
      <Group mb="md" gap="sm">
        <Checkbox
          label={picked.length === 0 ? 'Select all' : `${picked.length} selected`}
          checked={isAll}
          indeterminate={picked.length > 0 && !isAll}
          onChange={() => setSelected(isAll ? new Set() : new Set(learnings.map(({ id }) => id)))}
        />
        <Button
          size="xs"
          disabled={picked.length === 0}
          loading={decide.isPending}
          onClick={() => decide.mutate('approved')}
        >
          Approve
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={picked.length === 0}
          loading={decide.isPending}
          onClick={() => decide.mutate('disapproved')}
        >
          Disapprove
        </Button>
      </Group>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {learnings.map((learning) => (
          <Paper withBorder p="md" component="li" key={learning.id}>
            <Group align="flex-start" wrap="nowrap">
              <Checkbox
                mt="xxs"
                aria-label={`Select: ${learning.learning.slice(0, 80)}`}
                checked={selected.has(learning.id)}
                onChange={() => toggle(learning.id)}
              />
              <Stack gap="xxs" flex={1}>
                <Text style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>{learning.learning}</Text>
                <LearningFacts view={view} learning={learning} />
                <Text size="xs" fw={600}>
                  Approved automatically {formatRelativeTime(learning.approval_deadline)} (
                  {formatInstant(learning.approval_deadline)})
                </Text>
              </Stack>
            </Group>
          </Paper>
        ))}
      </Stack>
    </>
  );
}
