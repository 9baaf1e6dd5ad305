import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { Column } from '../../components/lists/table-frame.tsx';
import { humanize } from '../../lib/format.ts';
import { severityColors } from '../../lib/severities.ts';
import type { ListedPackage } from './wire.ts';

const maxShown = 3;

export const packageColumns: readonly Column<ListedPackage>[] = [
  {
    label: 'Package',
    minWidth: 140,
    cell: ({ name, ecosystem, direct }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{name}</Text>
        <Text size="xs" c="dimmed">
          {ecosystem} · {direct ? 'direct' : 'indirect'}
        </Text>
      </div>
    ),
  },
  {
    label: 'Version',
    minWidth: 80,
    cell: ({ version, fixed }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        {fixed ? version : `${version === '' ? 'any' : version} (requested)`}
      </span>
    ),
  },
  {
    label: 'Repository',
    minWidth: 120,
    cell: ({ repository_name, path }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        {repository_name}
        <Text size="xs" c="dimmed">
          {path}
        </Text>
      </div>
    ),
  },
  { label: 'Licence', cell: ({ licence }) => licence ?? '' },
  { label: 'Vulnerabilities', minWidth: 140, cell: (row) => <Advisories {...row} /> },
];

function Advisories({ vulnerabilities, severity }: ListedPackage) {
  if (severity === null) return null;
  return (
    <Group gap="xs">
      <Badge color={severityColors[severity]}>{humanize(severity)}</Badge>
      {vulnerabilities.slice(0, maxShown).map((id) => (
        <Anchor
          key={id}
          size="sm"
          href={`https://osv.dev/vulnerability/${encodeURIComponent(id)}`}
          target="_blank"
          rel="noreferrer"
        >
          {id}
        </Anchor>
      ))}
      {vulnerabilities.length > maxShown && (
        <Text size="sm">and {vulnerabilities.length - maxShown} more</Text>
      )}
    </Group>
  );
}
