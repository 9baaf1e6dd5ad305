import { NativeSelect } from '@mantine/core';
import { useFilters } from '../../lib/search.ts';

const choices = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
];

/** Selects how many days back a page looks; in the URL as `days`. */
export function DaysSelect() {
  const [{ days = '30' }, change] = useFilters();
  return (
    <NativeSelect
      label="Period"
      data={choices}
      value={days}
      onChange={({ currentTarget: { value } }) => change({ days: value === '30' ? undefined : value })}
    />
  );
}
