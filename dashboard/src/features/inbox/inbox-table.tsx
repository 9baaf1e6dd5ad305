import { Badge, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable } from '../../components/lists/data-table.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { formatInstant, formatNumber, formatRelativeTime, humanize } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { severities, severityColors } from '../../lib/severities.ts';
import { states } from '../checks/wire.ts';
import { statusColors } from '../reviews/wire.ts';
import { type InboxPull, riskColors, type Tab, waitsBecause } from './wire.ts';

/** A table of open pull requests; the title is a link to the page of the pull request. */
export function InboxTable({
  view,
  tab,
  pulls,
  more,
}: {
  view: View;
  tab: Tab;
  pulls: readonly InboxPull[];
  more: MorePages;
}) {
  const columns = useMemo(() => columnsFor(view, tab), [view, tab]);
  return (
    <DataTable
      label="Open pull requests"
      hasLongCells
      columns={columns}
      rows={pulls}
      rowKey={({ organization, repository_id, number }) => `${organization.id} ${repository_id} ${number}`}
      estimatedRowHeight={62}
      more={more}
    />
  );
}

function columnsFor(view: View, tab: Tab): Column<InboxPull>[] {
  return [
    {
      label: 'Pull request',
      isLabelHidden: true,
      width: '38%',
      cell: (pull) => <Subject pull={pull} view={view} tab={tab} />,
    },
    { label: 'Size', cell: (pull) => <Size {...pull} /> },
    { label: 'Checks', minWidth: 100, cell: ({ checks }) => <Checks checks={checks} /> },
    { label: 'Findings', cell: ({ findings }) => <Findings findings={findings} /> },
    { label: 'Risk', minWidth: 96, cell: ({ risk }) => <Risk risk={risk} /> },
    { label: 'Last review', minWidth: 150, cell: ({ review }) => <Review review={review} /> },
  ];
}

function Subject({ pull, view, tab }: { pull: InboxPull; view: View; tab: Tab }) {
  const { organization, repository_id, repository_name, number, author, is_draft, opened_at } = pull;
  const repository =
    view.kind === 'workspace' ? `${organization.name} / ${repository_name}` : repository_name;
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <PageLink
        to={`/organizations/${organization.id}/pull-requests/${repository_id}/${number}`}
        search={{ via: 'inbox' }}
      >
        {pull.title === '' ? `#${number}` : pull.title}
      </PageLink>
      {is_draft && (
        <Badge color="gray" size="sm" ml="xs">
          Draft
        </Badge>
      )}
      <Text size="xs" c="dimmed">
        {repository} #{number}
        {author !== null && ` · ${author}`} ·{' '}
        <time dateTime={opened_at} title={formatInstant(opened_at)}>
          {formatRelativeTime(opened_at)}
        </time>
        {tab !== 'mine' && pull.waits_because !== null && ` · ${waitsBecause[pull.waits_because]}`}
      </Text>
    </div>
  );
}

const nothing = (
  <Text size="sm" c="dimmed">
    –
  </Text>
);

function Size({ added, removed, files }: Pick<InboxPull, 'added' | 'removed' | 'files'>) {
  if (added === null || removed === null)
    return files === null ? nothing : <Text size="sm">{counted(files, 'file')}</Text>;
  return (
    <Text
      size="sm"
      style={{ whiteSpace: 'nowrap' }}
      title={files === null ? undefined : counted(files, 'file')}
    >
      +{formatNumber(added)} −{formatNumber(removed)}
    </Text>
  );
}

const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

function Checks({ checks }: Pick<InboxPull, 'checks'>) {
  if (checks === null) return nothing;
  const { label, color } = states.find(({ value }) => value === checks.state)!;
  return (
    <div>
      <Badge color={color} title={checks.text} miw="max-content">
        {label}
      </Badge>
      {checks.state !== 'success' && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {checks.text.replace(`${label}: `, '')}
        </Text>
      )}
    </div>
  );
}

function Findings({ findings }: Pick<InboxPull, 'findings'>) {
  const open = severities.filter((severity) => findings[severity] > 0);
  if (open.length === 0) return nothing;
  return (
    <Group gap="xxs" wrap="nowrap">
      {open.map((severity) => (
        <Badge
          key={severity}
          color={severityColors[severity]}
          title={counted(findings[severity], `${severity} finding`)}
        >
          {findings[severity]}
          <span className="visually-hidden"> {severity}</span>
        </Badge>
      ))}
    </Group>
  );
}

function Risk({ risk }: Pick<InboxPull, 'risk'>) {
  if (risk === null) return nothing;
  const reasons = risk.reasons.join('; ');
  return (
    <Badge color={riskColors[risk.level]} title={reasons}>
      {humanize(risk.level)}
      {reasons !== '' && <span className="visually-hidden">: {reasons}</span>}
    </Badge>
  );
}

function Review({ review }: Pick<InboxPull, 'review'>) {
  if (review === null) return nothing;
  return (
    <div>
      <Badge color={statusColors[review.status]} miw="max-content">
        {humanize(review.status)}
      </Badge>
      {review.lacks !== null && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {review.lacks}
        </Text>
      )}
    </div>
  );
}
