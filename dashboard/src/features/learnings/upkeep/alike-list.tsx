import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useAction } from '../../../components/action.ts';
import { api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import { type AlikeLearning, type LearningUsage, learningKeys, scopeOfLearning } from '../wire.ts';
import { MergeButton } from './merge-button.tsx';

const longestName = 40;

/** The beginning of a text, long enough to recognize it. */
function beginning(text: string): string {
  return text.length <= longestName ? text : `${text.slice(0, longestName).replace(/\s+\S*$/, '')} …`;
}

/** Why two Learnings are shown together. */
function evidence(learning: LearningUsage, other: AlikeLearning): string {
  const alike = `${Math.round(other.likeness * 100)}% similar`;
  if (other.kind === 'duplicate') return alike;
  const against = other.is_other_against === true ? other : learning;
  return `${alike}; only “${beginning(against.learning)}” advises against “${other.word}”`;
}

/** The Learnings that may be duplicates of one, or contradict it. */
export function AlikeList({
  view,
  learning,
  mayWrite,
}: {
  view: View;
  learning: LearningUsage;
  mayWrite: boolean;
}) {
  if (learning.alike.length === 0) return null;
  return (
    <Stack
      component="ul"
      gap="xs"
      p={0}
      m={0}
      mt="xs"
      style={{ listStyle: 'none' }}
      aria-label="Similar Learnings"
    >
      {learning.alike.map((alike) => (
        <li key={alike.id}>
          <Alike view={view} learning={learning} alike={alike} mayWrite={mayWrite} />
        </li>
      ))}
    </Stack>
  );
}

function Alike({
  view,
  learning,
  alike,
  mayWrite,
}: {
  view: View;
  learning: LearningUsage;
  alike: AlikeLearning;
  mayWrite: boolean;
}) {
  const isConflict = alike.kind === 'conflict';
  const tellApart = useAction(
    () =>
      api('POST', 'learnings/told-apart', {
        scope: scopeOfLearning(view, learning),
        body: { ids: [learning.id, alike.id] },
      }),
    { invalidates: learningKeys(view), done: 'They will no longer be shown as similar' },
  );
  return (
    <Paper withBorder p="xs">
      <Group gap="xs">
        <Badge color={isConflict ? 'orange' : 'blue'}>
          {isConflict ? 'Possible conflict' : 'Possible duplicate'}
        </Badge>
        <Text size="xs" c="dimmed">
          {evidence(learning, alike)}
        </Text>
      </Group>
      <Text size="sm" my="xxs" lineClamp={4} style={{ wordBreak: 'break-word' }}>
        {alike.learning}
      </Text>
      {mayWrite && (
        <Group gap="xs">
          <MergeButton view={view} learning={learning} other={alike} />
          <Button
            size="compact-xs"
            variant="default"
            loading={tellApart.isPending}
            onClick={() => tellApart.mutate(undefined)}
          >
            Keep both
          </Button>
        </Group>
      )}
    </Paper>
  );
}
