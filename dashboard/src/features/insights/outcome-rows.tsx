import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '../../components/lists/table-frame.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { InsightFilters } from './filters/insight-filters.ts';
import { InsightLink } from './insight-link.tsx';
import type { Outcomes } from './measures/acceptance.ts';
import { acceptanceText } from './measures/acceptance-text.ts';
import { outcomes } from './measures/outcomes.ts';

export interface OutcomeRow extends Outcomes {
  readonly key: string;
  readonly name: ReactNode;
  /** The filters that select the comments of the row; absent if no filters can. */
  readonly filters?: InsightFilters & { from?: string; to?: string };
  readonly organization?: string;
}

/** Comments by some property, as bars of proportional length; every number links to its comments. */
export function OutcomeRows({
  title,
  by,
  rows,
  children,
}: {
  title: string;
  /** The heading of the names. */
  by: string;
  rows: readonly OutcomeRow[];
  children?: ReactNode;
}) {
  const longest = Math.max(1, ...rows.map(({ posted }) => posted));
  const columns: Column<OutcomeRow>[] = [
    {
      label: by,
      minWidth: 130,
      cell: ({ name }) => <span style={{ overflowWrap: 'anywhere' }}>{name}</span>,
    },
    { label: 'Bar', isLabelHidden: true, width: '20%', cell: (row) => <Bar row={row} longest={longest} /> },
    {
      label: 'Comments',
      cell: (row) => <Count row={row} count={row.posted} label="posted" filters={row.filters} />,
    },
    ...outcomes.map(({ name, label }) => ({
      label,
      cell: (row: OutcomeRow) => (
        <Count
          row={row}
          count={row[name]}
          label={label}
          filters={row.filters && { ...row.filters, outcome: name }}
        />
      ),
    })),
    {
      label: 'Acceptance',
      cell: (row) => <span style={{ whiteSpace: 'nowrap' }}>{acceptanceText(row)}</span>,
    },
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{title}</Title>
        <Legend />
      </Group>
      <TableRegion label={`${title}, as a table`} columns={columns} rows={rows} rowKey={({ key }) => key} />
      {children}
    </Paper>
  );
}

function Legend() {
  return (
    <Group gap="sm" aria-hidden="true">
      {outcomes.map(({ name, label, color }) => (
        <Group key={name} gap="xxs">
          <Box w={10} h={10} bg={color} style={{ borderRadius: 2 }} />
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function Bar({ row, longest }: { row: OutcomeRow; longest: number }) {
  return (
    <Group gap={0} wrap="nowrap" miw={60} mt="xxs" aria-hidden="true">
      {outcomes.map(({ name, color }) => (
        <Box key={name} h={14} w={`${(row[name] / longest) * 100}%`} bg={color} />
      ))}
    </Group>
  );
}

function Count({
  row,
  count,
  label,
  filters,
}: {
  row: OutcomeRow;
  count: number;
  label: string;
  filters: OutcomeRow['filters'];
}) {
  if (count === 0 || filters === undefined) return formatNumber(count);
  return (
    <InsightLink
      page="comments"
      filters={filters}
      label={`${formatNumber(count)} comments, ${label.toLowerCase()}`}
      {...(row.organization !== undefined && { organization: row.organization })}
    >
      {formatNumber(count)}
    </InsightLink>
  );
}
