import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Instead of a number that would say nothing. */
export const notEnoughData = 'Not enough data';

/** A number with what it means, and how it compares to the period before. */
export function Tile({
  label,
  value,
  about,
  change,
}: {
  label: string;
  value: ReactNode;
  about: ReactNode;
  change?: string | undefined;
}) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={value === notEnoughData ? 18 : 26} fw={650} lh={1.4}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
      {change !== undefined && (
        <Text size="xs" mt={4}>
          {change}
        </Text>
      )}
    </Paper>
  );
}
