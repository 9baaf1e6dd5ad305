import { Button, Group, Text } from '@mantine/core';
import { formatNumber } from '../../../lib/format.ts';
import type { Finding } from '../../reviews/wire.ts';

/** Buttons to the next and the previous finding, in the order of the diff; they wrap around. */
export function FindingSteps({
  findings,
  chosen,
  onChoose,
}: {
  findings: readonly Finding[];
  chosen: string | undefined;
  onChoose: (finding: Finding) => void;
}) {
  const count = findings.length;
  if (count === 0) return null;
  const position = findings.findIndex(({ finding_id }) => finding_id === chosen);
  const isNone = position === -1;
  const step = (by: number) => onChoose(findings[(position + by + count) % count]!);
  return (
    <Group gap="xxs">
      <Button variant="default" onClick={() => step(isNone ? 0 : -1)}>
        Previous finding
      </Button>
      <Button variant="default" onClick={() => step(1)}>
        Next finding
      </Button>
      <Text size="sm" role="status">
        {isNone
          ? `${formatNumber(count)} ${count === 1 ? 'finding' : 'findings'}`
          : `${formatNumber(position + 1)} of ${formatNumber(count)}`}
      </Text>
    </Group>
  );
}
