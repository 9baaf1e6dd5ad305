import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { InlineCode } from '../../components/inline-code.tsx';
import { formatNumber, humanize } from '../../lib/format.ts';
import { severityColors } from '../../lib/severities.ts';
import type { Run } from './wire.ts';

/** Findings of rules on lines that the change does not touch: shown separately, and never posted. */
export function Preexisting({ report }: { report: NonNullable<Run['report']> }) {
  const { preexisting, total_preexisting: total } = report;
  if (total === 0) return null;
  return (
    <section aria-labelledby="preexisting">
      <Title order={2} mb="sm" id="preexisting">
        Preexisting findings ({formatNumber(total)})
      </Title>
      <Text mb="sm">
        On lines of the changed files that this change does not touch. They are not posted as comments.
      </Text>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {preexisting.map(({ path, start_line, rule, severity, title }) => (
          <Group key={`${path}:${start_line} ${rule}`} component="li" gap="xs">
            <Badge color={severityColors[severity]}>{humanize(severity)}</Badge>
            <Text size="sm" ff="monospace" style={{ wordBreak: 'break-all' }}>
              {path}:{start_line}
            </Text>
            <Text size="sm">
              <InlineCode text={title} />
            </Text>
            <Text size="xs" c="dimmed">
              {rule}
            </Text>
          </Group>
        ))}
      </Stack>
      {total > preexisting.length && (
        <Text size="sm" mt="xs">
          and {formatNumber(total - preexisting.length)} more
        </Text>
      )}
    </section>
  );
}
