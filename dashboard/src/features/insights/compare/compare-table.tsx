import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { useView } from '../../../lib/session.ts';
import { InsightLink, repositoryPage } from '../insight-link.tsx';
import { aboveChanceText, acceptanceText, tooFew } from '../measures/acceptance-text.ts';
import { sourceName } from '../measures/source-name.ts';
import { describeSpread } from '../measures/spread-text.ts';
import { noTeam } from '../measures/vocabulary.ts';
import type { BreakdownGroup, Spread } from '../wire.ts';

export type ComparedBy = 'repository' | 'author' | 'team' | 'source';

const headings = { repository: 'Repository', author: 'Author', team: 'Team', source: 'Reviewer' };

/** Groups side by side; every count links to the list of what it counts. */
export function CompareTable({ by, groups }: { by: ComparedBy; groups: readonly BreakdownGroup[] }) {
  const columns: Column<BreakdownGroup>[] = [
    { label: headings[by], minWidth: 120, cell: (group) => <Name by={by} group={group} /> },
    {
      label: 'Pull requests',
      cell: (group) => <Count by={by} group={group} page="pull-requests" count={group.pull_requests} />,
    },
    { label: 'Time to first review', cell: (group) => spreadCell(group.first_review, 'seconds') },
    { label: 'Time to merge', cell: (group) => spreadCell(group.merge, 'seconds') },
    { label: 'Iterations', cell: (group) => spreadCell(group.iterations, 'number') },
    {
      label: 'Comments',
      cell: (group) => (
        <TwoLines
          first={<Count by={by} group={group} page="comments" count={group.posted} />}
          second={`${(group.posted / group.pull_requests).toFixed(1)} per pull request`}
        />
      ),
    },
    { label: 'Accepted', cell: acceptanceText },
    { label: 'Above chance', cell: aboveChanceText },
    ...(by === 'source'
      ? [
          {
            label: 'Model cost',
            cell: ({ cost_usd }: BreakdownGroup) =>
              cost_usd === null ? 'Unknown' : `$${cost_usd.toFixed(2)}`,
          },
        ]
      : []),
  ];
  return (
    <TableRegion
      label={`Comparison by ${headings[by].toLowerCase()}`}
      columns={columns}
      rows={groups}
      rowKey={({ organization, id }) => `${organization}/${id}`}
    />
  );
}

/** A number that links to the list of what it counts. */
function Count({
  by,
  group,
  page,
  count,
}: {
  by: ComparedBy;
  group: BreakdownGroup;
  page: string;
  count: number;
}) {
  const id = by === 'team' ? (group.id ?? noTeam.value) : group.id;
  if (id === null || count === 0) return formatNumber(count);
  return (
    <InsightLink
      page={page}
      filters={{ [by]: id }}
      {...(group.organization !== null && { organization: group.organization })}
    >
      {formatNumber(count)}
    </InsightLink>
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
    <div style={{ overflowWrap: 'anywhere' }}>
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
    </div>
  );
}

function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <div>
      {first}
      <Text size="xs" c="dimmed">
        {second}
      </Text>
    </div>
  );
}

function spreadCell(spread: Spread, unit: 'seconds' | 'number'): ReactNode {
  const described = describeSpread(spread, unit);
  return described === undefined ? tooFew : <TwoLines first={described.median} second={described.range} />;
}
