import { Anchor, Badge, Group, Paper, Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { formatPercent, humanize } from '../../../lib/format.ts';
import { severityColors } from '../../../lib/severities.ts';
import { SignalList } from '../../outcomes/signal-list.tsx';
import { WordButtons } from '../../outcomes/word-buttons.tsx';
import { sourceName } from '../measures/source-name.ts';
import type { PullRequestComment } from '../wire.ts';
import { commentName, commentPlace } from './comment-name.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** A comment with its source, place and outcome. */
export function CommentCard({
  comment,
  pullRequestPath,
  invalidates,
}: {
  comment: PullRequestComment;
  /** The path of the endpoint for its pull request. */
  pullRequestPath: string;
  invalidates: readonly QueryKey[];
}) {
  const { severity, category, source, url, accepted, chance, signal } = comment;
  const [name, place] = [commentName(comment), commentPlace(comment)];
  const endpoint = `${pullRequestPath}/comments/${encodeURIComponent(comment.finding_id)}`;
  const facts = [
    sourceName(source),
    ...(category === null ? [] : [humanize(category)]),
    ...(chance === null ? [] : [`lines like these change anyway in ${formatPercent(chance)} of cases`]),
  ];
  return (
    <Paper withBorder p="md" component="li">
      <Group gap="xs" mb="xxs">
        <OutcomeBadge accepted={accepted} />
        {severity !== null && <Badge color={severityColors[severity]}>{humanize(severity)}</Badge>}
        <Anchor href={url} rel="noreferrer" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Anchor>
      </Group>
      {place !== null && place !== name && (
        <Text size="sm" ff="monospace" mb="xxs" style={{ wordBreak: 'break-all' }}>
          {place}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      <Group justify="space-between" mt="xs" align="flex-start">
        <SignalList path={endpoint} subject={name} />
        <WordButtons
          path={endpoint}
          subject={name}
          mayBeSaid={signal === 'confirmed' || signal === 'dismissed'}
          invalidates={invalidates}
        />
      </Group>
    </Paper>
  );
}
