import { Badge, Text } from '@mantine/core';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatNumber, humanize } from '../../../lib/format.ts';
import type { Report } from '../wire.ts';

type Dependency = Report['dependencies'][number];
type Contract = Report['contracts'][number];

const dependencyColumns: readonly Column<Dependency>[] = [
  {
    label: 'Package',
    cell: ({ name, ecosystem, direct }) => (
      <>
        <strong style={{ overflowWrap: 'anywhere' }}>{name}</strong>
        <Text size="xs" c="dimmed">
          {ecosystem}
          {direct ? '' : ', indirect'}
        </Text>
      </>
    ),
  },
  { label: 'Change', cell: ({ kind }) => humanize(kind) },
  { label: 'Version', cell: ({ from, to }) => `${from ?? '–'} → ${to ?? '–'}` },
  { label: 'Licence', cell: ({ licence }) => licence ?? '–' },
  {
    label: 'Known vulnerabilities',
    cell: ({ vulnerabilities }) =>
      vulnerabilities.length === 0 ? '–' : <Badge color="red">{vulnerabilities.join(', ')}</Badge>,
  },
];

/** Packages that the change adds, removes or updates. */
export function DependencyTable({ report }: { report: Report }) {
  const more = report.total_dependencies - report.dependencies.length;
  return (
    <>
      <TableRegion
        label="Dependencies"
        columns={dependencyColumns}
        rows={report.dependencies}
        rowKey={({ ecosystem, name, manifest, from, to }) => `${ecosystem} ${name} ${manifest} ${from} ${to}`}
        maxHeight={420}
      />
      {more > 0 && <Text size="sm">and {formatNumber(more)} more</Text>}
    </>
  );
}

const contractColumns: readonly Column<Contract>[] = [
  { label: 'File', cell: ({ path }) => <span style={{ overflowWrap: 'anywhere' }}>{path}</span> },
  {
    label: 'Kind',
    cell: ({ kind }) => ({ openapi: 'OpenAPI', graphql: 'GraphQL', protobuf: 'Protocol Buffers' })[kind],
  },
  {
    label: 'Breaking',
    cell: ({ breaking }) => (breaking === 0 ? '0' : <Badge color="red">{formatNumber(breaking)}</Badge>),
  },
  { label: 'Compatible', cell: ({ compatible }) => formatNumber(compatible) },
];

/** Descriptions of interfaces that the change alters. */
export function ContractTable({ contracts }: Pick<Report, 'contracts'>) {
  return (
    <TableRegion label="Contracts" columns={contractColumns} rows={contracts} rowKey={({ path }) => path} />
  );
}
