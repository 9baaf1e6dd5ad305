import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatDistance, formatInstant } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { LearningFacts } from './learning-card.tsx';
import { type DecisionResult, learningKeys, type PendingLearning, scopeOfLearning } from './wire.ts';

type Decision = 'approved' | 'disapproved';

function tell(decision: Decision, results: DecisionResult['results']): string {
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const late = results.length - done;
  return `${done} ${decision}${late > 0 ? `, ${late} were decided already` : ''}`;
}

/** Learnings from chat that wait for an admin, the most urgent first; several can be decided at once. */
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
          <Empty title="Nothing waits for approval">
            Learnings from chat come here where the organization or repository has an approval delay, which
            its settings give.
          </Empty>
        ) : (
          <Queue view={view} learnings={data} />
        )
      }
    </QueryState>
  );
}

function Queue({ view, learnings }: { view: View; learnings: readonly PendingLearning[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = learnings.filter(({ id }) => chosen.has(id));
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
      setChosen(new Set());
      return tell(decision, results);
    },
    { touches: learningKeys(view), done: (message) => message },
  );
  function toggle(id: string) {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  }
  const isAll = picked.length === learnings.length;
  return (
    <>
      <Group mb="md" gap="sm">
        <Checkbox
          label={picked.length === 0 ? 'Choose all' : `${picked.length} chosen`}
          checked={isAll}
          indeterminate={picked.length > 0 && !isAll}
          onChange={() => setChosen(isAll ? new Set() : new Set(learnings.map(({ id }) => id)))}
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
                mt={4}
                aria-label={`Choose: ${learning.learning.slice(0, 80)}`}
                checked={chosen.has(learning.id)}
                onChange={() => toggle(learning.id)}
              />
              <Stack gap={4} flex={1}>
                <Text style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>{learning.learning}</Text>
                <LearningFacts view={view} learning={learning} />
                <Text size="xs" fw={600}>
                  Approved by itself {formatDistance(learning.approval_deadline)} (
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
