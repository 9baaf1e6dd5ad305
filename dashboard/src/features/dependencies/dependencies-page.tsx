import { Button, SegmentedControl, Select, Switch } from '@mantine/core';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { apiUrl } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { packageColumns } from './package-columns.tsx';
import { RepositoryList } from './repository-list.tsx';
import { ecosystems, type PackagePage } from './wire.ts';

const shown = [
  { value: 'packages', label: 'Packages' },
  { value: 'repositories', label: 'Repositories' },
];

/** The packages that repositories use in which versions, and which versions are affected by an advisory. */
export default function DependenciesPage() {
  const view = useView();
  const [{ show = 'packages' }, change] = useFilters();
  return (
    <>
      <PageTitle
        title="Dependencies"
        about={`Dependencies of the default branches of reviewed repositories in ${view.name}`}
      >
        <SegmentedControl
          data={shown}
          value={show}
          onChange={(value) => change({ show: value === 'packages' ? undefined : value })}
          aria-label="What to list"
        />
      </PageTitle>
      {show === 'repositories' ? <RepositoryList view={view} /> : <PackageList view={view} />}
    </>
  );
}

function PackageList({ view }: { view: View }) {
  const [{ repository, ecosystem, search, affected }] = useFilters();
  const filters = { repository_id: repository, ecosystem, name: search, affected };
  const query = usePages<PackagePage>(['dependencies', view.id, filters], 'dependencies', view, filters);
  return (
    <>
      <Filters view={view} filters={filters} />
      <QueryState query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Empty title="No packages">
              {Object.values(filters).some((value) => value !== undefined)
                ? 'No package matches these filters.'
                : 'No dependencies have been read yet. A repository is read within minutes after a connection starts to review it.'}
            </Empty>
          ) : (
            <DataTable
              label="Packages"
              columns={packageColumns}
              rows={rows}
              rowKey={(row) => `${row.repository_id} ${row.ecosystem} ${row.name} ${row.version}`}
              more={query}
            />
          );
        }}
      </QueryState>
    </>
  );
}

function Filters({ view, filters }: { view: View; filters: Record<string, string | undefined> }) {
  const [{ repository, ecosystem, affected }, change] = useFilters();
  return (
    <FilterGrid>
      <FilterText label="Name" placeholder="Start of the name" />
      <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
      <Select
        label="Ecosystem"
        placeholder="All"
        clearable
        data={ecosystems}
        value={ecosystem ?? null}
        onChange={(value) => change({ ecosystem: value ?? undefined })}
      />
      <Switch
        label="Only vulnerable"
        checked={affected === 'true'}
        onChange={({ currentTarget }) => change({ affected: currentTarget.checked ? 'true' : undefined })}
      />
      <Button component="a" variant="default" href={apiUrl('dependencies/export', view, filters)} download>
        Download CSV
      </Button>
    </FilterGrid>
  );
}
