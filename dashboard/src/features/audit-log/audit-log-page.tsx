import { Badge, Button, MultiSelect, Pagination, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { namedEntryPage } from '../../../../src/capabilities/audit-log/schemas.ts';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api, apiUrl } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView } from '../../lib/session.ts';
import { describeMetadata } from './describe-metadata.ts';

type EntryPage = z.output<typeof namedEntryPage>;
type Entry = EntryPage['data'][number];

/** Who changed what, when. */
export default function AuditLogPage() {
  const view = useView();
  const [filters, change] = useFilters();
  const { search, actions, types, from, to, page } = filters;
  const wanted = {
    search,
    actions,
    resource_types: types,
    date_from: from && `${from}T00:00:00Z`,
    date_to: to && `${to}T23:59:59.999Z`,
  };
  const query = useQuery({
    queryKey: ['audit-log', view.id, filters],
    queryFn: () =>
      api<EntryPage>('GET', 'audit-log', { scope: view, query: { ...wanted, page, page_size: 50 } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageTitle title="Audit log" about={`Who changed what in ${view.name}`}>
        <Button component="a" variant="default" href={apiUrl('audit-log/export', view, wanted)} download>
          Export CSV
        </Button>
      </PageTitle>
      <Filters options={query.data?.filter_options} />
      <QueryState query={query}>
        {({ data, names, pagination }) =>
          data.length === 0 ? (
            <Empty title="No entries">Nothing has been changed yet, or no entry matches the filters.</Empty>
          ) : (
            <>
              <Text size="sm" c="dimmed" mb="xs" role="status">
                {pagination.total_count === 1 ? '1 entry' : `${pagination.total_count} entries`}
              </Text>
              <EntryTable entries={data} names={names} />
              {pagination.total_pages > 1 && (
                <Pagination
                  mt="md"
                  total={pagination.total_pages}
                  value={pagination.page}
                  onChange={(value) => change({ page: String(value) })}
                  getControlProps={(control) => ({ 'aria-label': `${control} page` })}
                  getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
                />
              )}
            </>
          )
        }
      </QueryState>
    </>
  );
}

function Filters({ options }: { options: EntryPage['filter_options'] | undefined }) {
  const [{ actions, types, from, to }, change] = useFilters();
  const labels = (list: EntryPage['filter_options']['actions'] | undefined) =>
    (list ?? []).map(({ value, label, count }) => ({ value, label: `${label} (${count})` }));
  const splitValues = (text: string | undefined) => (text === undefined ? [] : text.split(','));
  return (
    <FilterGrid>
      <FilterText label="Person" placeholder="Part of a name" />
      <MultiSelect
        label="Actions"
        placeholder={actions === undefined ? 'All' : ''}
        data={labels(options?.actions)}
        value={splitValues(actions)}
        onChange={(values) => change({ actions: values.join(','), page: undefined })}
        searchable
      />
      <MultiSelect
        label="Resource types"
        placeholder={types === undefined ? 'All' : ''}
        data={labels(options?.resource_types)}
        value={splitValues(types)}
        onChange={(values) => change({ types: values.join(','), page: undefined })}
        searchable
      />
      <TextInput
        type="date"
        label="From"
        value={from ?? ''}
        max={to}
        onChange={(event) => change({ from: event.currentTarget.value, page: undefined })}
      />
      <TextInput
        type="date"
        label="To"
        value={to ?? ''}
        min={from}
        onChange={(event) => change({ to: event.currentTarget.value, page: undefined })}
      />
    </FilterGrid>
  );
}

function EntryTable({ entries, names }: { entries: readonly Entry[]; names: EntryPage['names'] }) {
  const columns: Column<Entry>[] = [
    {
      label: 'When',
      cell: (entry) => (
        <div>
          <Text size="sm">{formatInstant(entry.createdAt)}</Text>
          <Text size="xs" c="dimmed">
            {entry.relativeTime}
          </Text>
        </div>
      ),
    },
    {
      label: 'Who',
      cell: ({ actor, ipAddress }) => (
        <div>
          <Text size="sm">
            {actor.name} {actor.isBot && actor.name !== 'System' && <Badge color="gray">Bot</Badge>}
          </Text>
          <Text size="xs" c="dimmed">
            {[actor.subtitle, ipAddress].filter(Boolean).join(' · ')}
          </Text>
        </div>
      ),
    },
    {
      label: 'What',
      cell: (entry) => (
        <div>
          <Text size="sm">{entry.actionLabel}</Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {describeResource(entry)}
          </Text>
        </div>
      ),
    },
    { label: 'Details', cell: (entry) => <Details entry={entry} names={names} /> },
  ];
  return (
    <DataTable label="Audit log" columns={columns} rows={entries} rowKey={({ id }) => id} hasLongCells />
  );
}

/** The changed resource with its kind, unless the summary begins with the kind already. */
function describeResource({ resourceTypeLabel: kind, resourceSummary: summary }: Entry): string {
  return summary.toLowerCase().startsWith(kind.toLowerCase()) ? summary : `${kind}: ${summary}`;
}

function Details({ entry, names }: { entry: Entry; names: EntryPage['names'] }) {
  return (
    <div>
      {describeMetadata(entry, names).map(({ name, value }) => (
        <Text key={name} size="xs" style={{ wordBreak: 'break-word' }}>
          <Text span c="dimmed" inherit>
            {name}:
          </Text>{' '}
          {value}
        </Text>
      ))}
    </div>
  );
}
