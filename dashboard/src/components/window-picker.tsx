import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { daysAgo } from '../lib/format.ts';
import { useFilters } from '../lib/search.ts';

const spans = ['7', '30', '90', '365'];

/** The window of days that the address names; the last 30 days where it names none. */
export function useWindow() {
  const [{ from, to }] = useFilters();
  return { from: from ?? daysAgo(29), to: to ?? daysAgo(0) };
}

/** Chooses the window of days: one of the usual ones, or any. */
export function WindowPicker() {
  const [, change] = useFilters();
  const { from, to } = useWindow();
  const span = spans.find((days) => to === daysAgo(0) && from === daysAgo(Number(days) - 1)) ?? '';
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        aria-label="Days"
        value={span}
        onChange={(days) => change({ from: daysAgo(Number(days) - 1), to: daysAgo(0) })}
        data={spans.map((days) => ({ value: days, label: `${days} d` }))}
      />
      <TextInput
        type="date"
        label="From"
        value={from}
        max={to}
        onChange={(event) => change({ from: event.currentTarget.value, to })}
      />
      <TextInput
        type="date"
        label="To"
        value={to}
        min={from}
        onChange={(event) => change({ from, to: event.currentTarget.value })}
      />
    </Group>
  );
}
