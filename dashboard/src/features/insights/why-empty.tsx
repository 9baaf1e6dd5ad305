import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { Empty } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatDate, formatNumber } from '../../lib/format.ts';
import { useSession, useView, type View } from '../../lib/session.ts';
import type { KnownData } from './wire.ts';

/** The server stops counting here. */
const maxCounted = 1000;

interface Shown {
  /** What is missing here, such as `list` or `page`. */
  readonly shows: string;
  readonly from: string;
  readonly to: string;
  readonly repository?: string | undefined;
  readonly isFiltered?: boolean;
}

/** The data that exists besides what a page shows; undefined until it is loaded, or if loading fails. */
export function useKnownData(view: View, repository?: string): KnownData | undefined {
  const { data } = useQuery({
    queryKey: ['known-data', view.id, repository],
    queryFn: () =>
      api<KnownData>('GET', 'insights/known-data', { scope: view, query: { repository_ids: repository } }),
  });
  return data;
}

/** Says why nothing about merged pull requests is shown, and where to look instead. */
export function WhyEmpty({ title, ...shown }: Shown & { title: string }) {
  const view = useView();
  const { is_installation_admin: mayConnect } = useSession();
  const data = useKnownData(view, shown.repository);
  return (
    <Empty title={title}>
      {data === undefined ? (
        `No pull request was merged in this period.`
      ) : (
        <Stack gap="xxs">
          {reasons(data, shown, view, mayConnect).map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences without an identity
            <Text key={index} inherit>
              {reason}
            </Text>
          ))}
        </Stack>
      )}
    </Empty>
  );
}

function counted(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count >= maxCounted ? 'At least ' : ''}${formatNumber(count)} ${many}`;
}

/** One sentence for each thing that keeps the list empty. */
function reasons(data: KnownData, shown: Shown, view: View, mayConnect: boolean): ReactNode[] {
  if (!data.has_pull_requests) return nothingRead(data, view, mayConnect);
  return [...openReasons(data, shown, view), mergedReason(data, shown)];
}

function nothingRead({ is_connected }: KnownData, { name }: View, mayConnect: boolean): ReactNode[] {
  if (is_connected)
    return [
      'The Git host is connected, but no pull request has been read yet.',
      <span key="backfill">
        New ones appear automatically, earlier ones with a backfill: <code>postil connections backfill</code>.
      </span>,
    ];
  return [
    `No Git host is connected to ${name}, and no events have been received.`,
    mayConnect ? (
      <PageLink key="connect" to="/connections">
        Connect a Git host
      </PageLink>
    ) : (
      'Whoever runs this installation can connect one.'
    ),
  ];
}

function openReasons(
  { open_findings, open_pull_requests }: KnownData,
  { shows }: Shown,
  view: View,
): ReactNode[] {
  const merged = `this ${shows} only covers merged ones`;
  if (open_findings > 0)
    return [
      `${counted(open_findings, 'finding is', 'findings are')} on open pull requests; ${merged}.`,
      ...(view.kind === 'organization'
        ? [
            <PageLink key="reviews" to={`/organizations/${view.id}/reviews`}>
              See the reviews
            </PageLink>,
          ]
        : []),
    ];
  if (open_pull_requests > 0)
    return [`${counted(open_pull_requests, 'pull request is', 'pull requests are')} open; ${merged}.`];
  return [];
}

function mergedReason({ newest_merge_at: newest }: KnownData, { from, to, isFiltered }: Shown): string {
  if (newest === null) return 'No pull request has been merged yet.';
  const day = newest.slice(0, 10);
  if (day >= from && day <= to)
    return isFiltered ? 'Nothing matches the filters.' : 'Reviewers posted no comments in this period.';
  return `The latest merge was on ${formatDate(newest)}: choose ${day < from ? 'a longer' : 'another'} period${isFiltered ? ', or remove a filter' : ''}.`;
}
