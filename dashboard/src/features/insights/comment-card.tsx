import { Anchor, Badge, Group, Paper, Text } from '@mantine/core';
import { formatPercent, humanize } from '../../lib/format.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { sourceName } from './source-name.ts';
import type { PullRequestComment } from './wire.ts';

/** A comment with who raised it, where, and what became of it. */
export function CommentCard({ comment }: { comment: PullRequestComment }) {
  const { severity, category, title, path, start_line, source, url, accepted, chance } = comment;
  const facts = [
    sourceName(source),
    ...(category === null ? [] : [humanize(category)]),
    ...(chance === null ? [] : [`such lines changed anyway in ${formatPercent(chance)} of the cases`]),
  ];
  return (
    <Paper withBorder p="md" component="li">
      <Group gap="xs" mb={4}>
        <OutcomeBadge accepted={accepted} />
        {severity !== null && (
          <Badge variant="outline" color="gray">
            {severity}
          </Badge>
        )}
        <Anchor href={url} rel="noreferrer" fw={600}>
          {title ?? 'Comment at the host'}
        </Anchor>
      </Group>
      {path !== null && (
        <Text size="sm" ff="monospace" mb={4} style={{ wordBreak: 'break-all' }}>
          {path}
          {start_line !== null && `:${start_line}`}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
    </Paper>
  );
}
