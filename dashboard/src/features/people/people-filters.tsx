import { Group, Select, Text } from '@mantine/core';
import { FilterText } from '../../components/filter-text.tsx';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const seats: readonly Choice[] = [
  { value: 'assigned', label: 'With a seat' },
  { value: 'unassigned', label: 'Without a seat' },
];

/** Finds people by name, seat and role; the filters are in the URL. */
export function PeopleFilters({
  roles,
  total,
}: {
  roles: readonly Choice[];
  total: number | null | undefined;
}) {
  const [{ seat, role }, change] = useFilters();
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <FilterText label="Search" placeholder="Part of a name or address" />
      <Select
        label="Seat"
        placeholder="All"
        w={160}
        clearable
        clearButtonProps={{ 'aria-label': 'Any seat' }}
        value={seat ?? null}
        onChange={(value) => change({ seat: value ?? undefined })}
        data={[...seats]}
      />
      <Select
        label="Role"
        placeholder="All"
        w={180}
        clearable
        clearButtonProps={{ 'aria-label': 'Any role' }}
        value={role ?? null}
        onChange={(value) => change({ role: value ?? undefined })}
        data={[...roles]}
      />
      {total !== null && total !== undefined && (
        <Text size="sm" c="dimmed" role="status" pb={8}>
          {total === 1 ? '1 person' : `${formatNumber(total)} people`}
        </Text>
      )}
    </Group>
  );
}
