import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { daysAgo } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';

const spans = ['7', '30', '90', '365'];

/** The date range in the URL, or the last 30 days if it has none. */
export function useWindow() {
  const [{ from, to }] = useFilters();
  return { from: from ?? daysAgo(29), to: to ?? daysAgo(0) };
}

/** Selects a date range: a preset or custom dates. */
export function WindowPicker() {
  const [, change] = useFilters();
  const { from, to } = useWindow();
  const span = spans.find((days) => to === daysAgo(0) && from === daysAgo(Number(days) - 1)) ?? '';
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="Period"
        value={span}
        onChange={(days) => change({ from: daysAgo(Number(days) - 1), to: daysAgo(0) })}
        data={spans.map((days) => ({ value: days, label: `${days} d` }))}
      />
      <Group gap="xs" wrap="nowrap">
        <TextInput
          type="date"
          aria-label="From"
          value={from}
          max={to}
          onChange={(event) => change({ from: event.currentTarget.value, to })}
        />
        <Text aria-hidden="true">–</Text>
        <TextInput
          type="date"
          aria-label="To"
          value={to}
          min={from}
          onChange={(event) => change({ from, to: event.currentTarget.value })}
        />
      </Group>
    </Group>
  );
}
