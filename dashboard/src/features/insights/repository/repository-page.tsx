import { Group, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useWindow, WindowPicker } from '../../../components/filters/window-picker.tsx';
import { usePages } from '../../../components/lists/load-more.tsx';
import { PageTitle, QueryState } from '../../../components/query-state.tsx';
import { useView } from '../../../lib/session.ts';
import { Panels } from '../../overview/panels.tsx';
import { InsightLink } from '../insight-link.tsx';
import { PullRequestTable } from '../pull-requests/pull-request-table.tsx';
import { Trail } from '../trail.tsx';
import type { PullRequestPage } from '../wire.ts';

/** A repository in numbers, and its newest pull requests. */
export default function RepositoryPage() {
  const view = useView();
  const { repository } = useParams({ strict: false }) as { repository: string };
  const { from, to } = useWindow();
  const parameters = { start_date: from, end_date: to, repository_ids: repository, limit: 10 };
  const query = usePages<PullRequestPage>(
    ['insight-newest', view.id, parameters],
    'insights/pull-requests',
    view,
    parameters,
  );
  const name = query.data?.pages[0]?.data[0]?.repository_name ?? `Repository ${repository}`;
  return (
    <>
      <PageTitle
        title={name}
        about={`Pull requests merged in ${view.name} / ${name}, and the comments on them`}
      >
        <WindowPicker />
      </PageTitle>
      <Trail here={name} />
      <Panels repository={repository}>
        <QueryState query={query} lines={3}>
          {({ pages }) => {
            const rows = pages[0]!.data;
            if (rows.length === 0) return null;
            return (
              <section aria-label="Newest pull requests">
                <Group justify="space-between" mb="xs">
                  <Title order={2}>Newest pull requests</Title>
                  {pages[0]!.next_cursor !== null && (
                    <InsightLink page="pull-requests" filters={{ repository }}>
                      All pull requests
                    </InsightLink>
                  )}
                </Group>
                <PullRequestTable rows={rows} />
              </section>
            );
          }}
        </QueryState>
      </Panels>
    </>
  );
}
