import { useWindow } from '../../components/filters/window-picker.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { useView } from '../../lib/session.ts';
import { InsightLink, repositoryPage } from '../insights/insight-link.tsx';
import { type OutcomeRow, OutcomeRows } from '../insights/outcome-rows.tsx';
import type { BreakdownGroup, BreakdownPage } from '../insights/wire.ts';

/** The repositories with the most comments first; more follow on request. */
export function RepositoryRows() {
  const view = useView();
  const { from, to } = useWindow();
  const parameters = { start_date: from, end_date: to, by: 'repository', sort: 'posted', limit: 20 };
  const query = usePages<BreakdownPage>(
    ['insight-repositories', view.id, parameters],
    'insights/breakdown',
    view,
    parameters,
  );
  const organizations = new Map(view.organizations.map(({ id, name }) => [id, name]));
  return (
    <QueryState query={query} lines={3}>
      {({ pages }) => {
        const groups = pages.flatMap(({ data }) => data);
        if (groups.length === 0) return null;
        return (
          <OutcomeRows
            title="By repository"
            by="Repository"
            rows={groups.map((group) =>
              rowOf(
                group,
                view.kind === 'workspace' ? organizations.get(group.organization ?? '') : undefined,
              ),
            )}
          >
            <LoadMore query={query} />
          </OutcomeRows>
        );
      }}
    </QueryState>
  );
}

function rowOf(group: BreakdownGroup, organizationName: string | undefined): OutcomeRow {
  const { organization, id, name, posted, accepted, not_accepted } = group;
  const outcomes = { posted, accepted, not_accepted, unknown: posted - accepted - not_accepted };
  if (organization === null || id === null) return { key: '', name: 'Unknown', ...outcomes };
  return {
    key: `${organization}/${id}`,
    name: (
      <InsightLink page={repositoryPage(id)} organization={organization}>
        {organizationName !== undefined && `${organizationName} / `}
        {name}
      </InsightLink>
    ),
    filters: { repository: id },
    organization,
    ...outcomes,
  };
}
