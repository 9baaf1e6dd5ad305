import { Paper, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

interface TileProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly about?: ReactNode;
  /** How the value compares to another period. */
  readonly change?: string | undefined;
}

/** A number with its label. Words instead of a number are smaller. */
export function Tile({ label, value, about, change, isChosen = false }: TileProps & { isChosen?: boolean }) {
  return (
    <Paper withBorder p="md" h="100%" {...(isChosen && { className: 'chosen' })}>
      <Text c="dimmed">{label}</Text>
      <Text size={typeof value === 'string' && !/\d/.test(value) ? 'lg' : 'xl'} fw={600} my="xxs">
        {value}
      </Text>
      {about !== undefined && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
      {change !== undefined && (
        <Text size="xs" mt="xxs">
          {change}
        </Text>
      )}
    </Paper>
  );
}

/** A number that filters the list below it. */
export function FilterTile({ onChoose, ...tile }: TileProps & { isChosen: boolean; onChoose: () => void }) {
  return (
    <UnstyledButton aria-pressed={tile.isChosen} onClick={onChoose}>
      <Tile {...tile} />
    </UnstyledButton>
  );
}
