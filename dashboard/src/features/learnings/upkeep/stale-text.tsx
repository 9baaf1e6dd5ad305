import { Text } from '@mantine/core';
import { formatRelativeTime } from '../../../lib/format.ts';
import type { LearningUsage } from '../wire.ts';

function whatIsOff({
  stale,
  retired_at,
  merged_into,
  file,
  created_at,
  last_used_at,
}: LearningUsage): string | null {
  if (retired_at !== null)
    return `Retired ${formatRelativeTime(retired_at)}${merged_into === null ? '' : ', merged into another one'}`;
  switch (stale) {
    case 'file_gone':
      return `Stale: ${file} is no longer on the default branch`;
    case 'never_used':
      return `Stale: never used since it was written ${formatRelativeTime(created_at)}`;
    case 'unused':
      return `Stale: last used ${formatRelativeTime(last_used_at!)}`;
    case null:
      return null;
  }
}

/** Why a Learning may be out of date, or that it is retired. */
export function StaleText({ learning }: { learning: LearningUsage }) {
  const text = whatIsOff(learning);
  return (
    text !== null && (
      <Text size="xs" fw={600} style={{ wordBreak: 'break-word' }}>
        {text}
      </Text>
    )
  );
}
