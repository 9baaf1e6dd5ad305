import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { useView } from '../../../lib/session.ts';
import type { InsightFilters } from '../filters/insight-filters.ts';
import { InsightLink, repositoryPage } from '../insight-link.tsx';
import { aboveChanceText, acceptanceText, tooFew } from '../measures/acceptance-text.ts';
import { sourceName } from '../measures/source-name.ts';
import { describeSpread } from '../measures/spread-text.ts';
import { noTeam } from '../measures/vocabulary.ts';
import type { BreakdownGroup, Spread } from '../wire.ts';

export type ComparedBy = 'repository' | 'author' | 'team' | 'source';

const headings = { repository: 'Repository', author: 'Author', team: 'Team', source: 'Reviewer' };

/** Groups side by side; every number that counts something leads to its list. */
export function CompareTable({ by, groups }: { by: ComparedBy; groups: readonly BreakdownGroup[] }) {
  const columns = [
    headings[by],
    'Pull requests',
    'To first review',
    'To merge',
    'Iterations',
    'Comments',
    'Per pull request',
    'Accepted',
    'Above chance',
    ...(by === 'source' ? ['Model cost'] : []),
  ];
  return (
    <TableRegion label={`Compared: ${headings[by].toLowerCase()}`} minWidth={1040} columns={columns}>
      {groups.map((group) => (
        <Row key={`${group.organization}/${group.id}`} by={by} group={group} />
      ))}
    </TableRegion>
  );
}

function Row({ by, group }: { by: ComparedBy; group: BreakdownGroup }) {
  const { organization } = group;
  const id = by === 'team' ? (group.id ?? noTeam.value) : group.id;
  const filters: InsightFilters | undefined = id === null ? undefined : { [by]: id };
  const place = organization === null ? {} : { organization };
  const link = (page: string, count: number): ReactNode =>
    filters === undefined || count === 0 ? (
      formatNumber(count)
    ) : (
      <InsightLink page={page} filters={filters} {...place}>
        {formatNumber(count)}
      </InsightLink>
    );
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }} miw={160}>
        <Name by={by} group={group} />
      </Table.Td>
      <Table.Td>{link('pull-requests', group.pull_requests)}</Table.Td>
      <SpreadCell spread={group.first_review} unit="seconds" />
      <SpreadCell spread={group.merge} unit="seconds" />
      <SpreadCell spread={group.iterations} unit="number" />
      <Table.Td>{link('comments', group.posted)}</Table.Td>
      <Table.Td>{(group.posted / group.pull_requests).toFixed(1)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{acceptanceText(group)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{aboveChanceText(group)}</Table.Td>
      {by === 'source' && (
        <Table.Td>{group.cost_usd === null ? 'Unknown' : `$${group.cost_usd.toFixed(2)}`}</Table.Td>
      )}
    </Table.Tr>
  );
}

function Name({ by, group }: { by: ComparedBy; group: BreakdownGroup }) {
  const view = useView();
  const { id, name, organization } = group;
  if (id === null || name === null) return by === 'team' ? noTeam.label : 'Unknown';
  if (by === 'source') return sourceName(id);
  const organizationName =
    view.kind === 'workspace' ? view.organizations.find((one) => one.id === organization)?.name : undefined;
  const place = organization === null ? {} : { organization };
  return (
    <>
      {by === 'repository' ? (
        <InsightLink page={repositoryPage(id)} {...place}>
          {name}
        </InsightLink>
      ) : (
        <InsightLink page="pull-requests" filters={{ [by]: id }} {...place}>
          {name}
        </InsightLink>
      )}
      {organizationName !== undefined && (
        <Text size="xs" c="dimmed">
          {organizationName}
        </Text>
      )}
    </>
  );
}

function SpreadCell({ spread, unit }: { spread: Spread; unit: 'seconds' | 'number' }) {
  const described = describeSpread(spread, unit);
  return (
    <Table.Td style={{ whiteSpace: 'nowrap' }}>
      {described === undefined ? (
        tooFew
      ) : (
        <>
          {described.median}
          <Text size="xs" c="dimmed">
            {described.range}
          </Text>
        </>
      )}
    </Table.Td>
  );
}
