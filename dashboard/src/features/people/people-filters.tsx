import { Select, Text } from '@mantine/core';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';

export interface Choice {
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
  return (
    <FilterGrid>
      <FilterText label="Search" placeholder="Name or email address" />
      <ChoiceFilter name="seat" choices={seats} />
      <ChoiceFilter name="role" choices={roles} />
      {total !== null && total !== undefined && (
        <Text size="sm" c="dimmed" role="status" pb="xs">
          {total === 1 ? '1 person' : `${formatNumber(total)} people`}
        </Text>
      )}
    </FilterGrid>
  );
}

function ChoiceFilter({ name, choices }: { name: 'seat' | 'role'; choices: readonly Choice[] }) {
  const [search, change] = useFilters();
  return (
    <Select
      label={humanize(name)}
      placeholder="All"
      clearable
      clearButtonProps={{ 'aria-label': `Clear the ${name} filter` }}
      value={search[name] ?? null}
      onChange={(value) => change({ [name]: value ?? undefined })}
      data={[...choices]}
    />
  );
}
