import { Badge, Select, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { states } from '../checks/wire.ts';
import { InboxTable } from './inbox-table.tsx';
import { NothingHere } from './nothing-here.tsx';
import { type InboxPage, type InboxSummary, pollIntervalMs, type Tab, tabs } from './wire.ts';

/** The server stops counting here. */
const maxCounted = 1000;

/** Open pull requests: those that wait for the person, their own, and all others. The page polls while it is open. */
export default function Inbox() {
  const view = useView();
  const [{ tab = 'waiting' }, change] = useFilters();
  const { data: summary } = useQuery({
    queryKey: ['inbox-summary', view.id],
    queryFn: () => api<InboxSummary>('GET', 'inbox/summary', { scope: view }),
    refetchInterval: pollIntervalMs([]),
  });
  return (
    <>
      <PageTitle title="Inbox" about={`Open pull requests of ${view.name}`} />
      <Tabs
        value={tab}
        onChange={(value) => change({ tab: value === 'waiting' ? undefined : (value ?? undefined) })}
      >
        <Tabs.List mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} rightSection={<Count of={summary?.[value]} />}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value }) => (
          <Tabs.Panel key={value} value={value}>
            {tab === value && <OpenPulls view={view} tab={value} summary={summary} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function Count({ of }: { of: number | undefined }) {
  if (of === undefined || of === 0) return null;
  return <Badge color="gray">{of >= maxCounted ? `${formatNumber(maxCounted)}+` : formatNumber(of)}</Badge>;
}

function OpenPulls({ view, tab, summary }: { view: View; tab: Tab; summary: InboxSummary | undefined }) {
  const [{ repository, search, checks, risk, sort }] = useFilters();
  const filters = { repository_ids: repository, search, checks, risk };
  const query = usePages<InboxPage>(
    ['inbox', view.id, tab, filters, sort],
    'inbox',
    view,
    { tab, ...filters, sort, limit: 100 },
    pollIntervalMs,
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Filters view={view} />
      <QueryState query={query}>
        {({ pages }) => {
          const pulls = pages.flatMap(({ data }) => data);
          return pulls.length === 0 ? (
            <NothingHere view={view} tab={tab} summary={summary} isFiltered={isFiltered} />
          ) : (
            <InboxTable view={view} tab={tab} pulls={pulls} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}

const risks = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
];
const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
];

function Filters({ view }: { view: View }) {
  const [{ repository, checks, risk, sort }, change] = useFilters();
  return (
    <FilterGrid>
      <FilterText label="Text" placeholder="Title, author, number" />
      <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
      <Select
        label="Checks"
        placeholder="All"
        clearable
        data={states.map(({ value, label }) => ({ value, label }))}
        value={checks ?? null}
        onChange={(value) => change({ checks: value ?? undefined })}
      />
      <Select
        label="Risk"
        placeholder="All"
        clearable
        data={risks}
        value={risk ?? null}
        onChange={(value) => change({ risk: value ?? undefined })}
      />
      <Select
        label="Order"
        data={orders}
        value={sort ?? 'newest'}
        allowDeselect={false}
        onChange={(value) => change({ sort: value === 'newest' ? undefined : (value ?? undefined) })}
      />
    </FilterGrid>
  );
}
