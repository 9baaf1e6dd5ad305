import { Anchor, Badge, Button, Group, MultiSelect, Select, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  findingSearchPage,
  findingSummary,
} from '../../../../src/capabilities/security-findings/schemas.ts';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { FilterTile } from '../../components/tile.tsx';
import { api, apiUrl } from '../../lib/api.ts';
import { formatDate, formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { FindingDrawer } from './finding-detail.tsx';
import { SeverityBadge, severities } from './severity.tsx';

type FindingPage = z.output<typeof findingSearchPage>;
type Finding = FindingPage['data'][number];
type Summary = z.output<typeof findingSummary>;

const states = ['open', 'fixed', 'dismissed', 'all'] as const;

/** Findings of security scans: counted, searched, opened, dismissed and downloaded. */
export default function SecurityPage() {
  const view = useView();
  const [{ state, severity, repository, search, sort, finding }, change] = useFilters();
  const filters = { state, severity, repo_id: repository };
  const summary = useQuery({
    queryKey: ['security-summary', view.id],
    queryFn: () => api<Summary>('GET', 'security/summary', { scope: view }),
  });
  const query = usePages<FindingPage>(
    ['security', view.id, filters, search, sort],
    'security/findings',
    view,
    { ...filters, search, sort, limit: 100 },
  );
  const total = query.data?.pages[0]?.total;
  return (
    <>
      <PageTitle title="Security" about={`Findings of security scans in ${view.name}`}>
        <Downloads view={view} filters={filters} />
      </PageTitle>
      <QueryState query={summary} lines={1}>
        {({ counts }) => <Counts counts={counts} />}
      </QueryState>
      <Filters view={view} total={total} />
      <QueryState query={query}>
        {({ pages }) => {
          const findings = pages.flatMap(({ data }) => data);
          return findings.length === 0 ? (
            <Empty title="No findings">
              No finding of a security scan matches these filters. Results of scanners are sent with{' '}
              <code>postil events send</code>; findings of reviews are on the page Reviews.
            </Empty>
          ) : (
            <DataTable
              label="Findings"
              columns={columnsFor(view, (id) => change({ finding: id }))}
              rows={findings}
              rowKey={({ id }) => id}
              initialSort="severity"
              total={total}
              more={query}
            />
          );
        }}
      </QueryState>
      <FindingDrawer view={view} id={finding} onClose={() => change({ finding: undefined })} />
    </>
  );
}

function columnsFor(view: View, open: (id: string) => void): Column<Finding>[] {
  return [
    { label: 'Severity', sort: 'severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    {
      label: 'Finding',
      cell: (finding) => (
        <div>
          <Group gap="xs">
            <Anchor component="button" type="button" ta="left" fw={600} onClick={() => open(finding.id)}>
              {finding.title}
            </Anchor>
            {finding.state !== 'open' && <Badge color="gray">{humanize(finding.state)}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" style={{ wordBreak: 'break-word' }}>
            {view.kind === 'workspace' && `${finding.organization_name} / `}
            {finding.repository_name} · {finding.file_path}:{finding.start_line} · {finding.rule_id}
          </Text>
        </div>
      ),
    },
    { label: 'Detected', sort: 'detected', cell: (finding) => formatDate(finding.first_detected_at) },
    { label: 'Last seen', cell: (finding) => formatDate(finding.last_seen_at) },
  ];
}

function Downloads({ view, filters }: { view: View; filters: Record<string, string | undefined> }) {
  return (
    <>
      {(['csv', 'sarif'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          variant="default"
          href={apiUrl('security/scans/code', view, { ...filters, format })}
          download
        >
          Download {format.toUpperCase()}
        </Button>
      ))}
    </>
  );
}

function Counts({ counts }: { counts: Summary['counts'] }) {
  const [{ state = 'open', severity }, change] = useFilters();
  const countOf = (level: string) =>
    counts
      .filter((row) => row.severity === level && (state === 'all' || row.state === state))
      .reduce((sum, { count }) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, sm: 5 }} mb="lg">
      {severities.map((level) => {
        const isChosen = severity === level;
        return (
          <FilterTile
            key={level}
            label={humanize(level)}
            value={formatNumber(countOf(level))}
            isChosen={isChosen}
            onChoose={() => change({ severity: isChosen ? undefined : level })}
          />
        );
      })}
    </SimpleGrid>
  );
}

function Filters({ view, total }: { view: View; total: number | null | undefined }) {
  const [{ state, severity, repository }, change] = useFilters();
  return (
    <FilterGrid>
      <FilterText label="Search" placeholder="Title, rule or file" />
      <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
      <Select
        label="State"
        data={states.map((value) => ({ value, label: humanize(value) }))}
        value={state ?? 'open'}
        allowDeselect={false}
        onChange={(value) => change({ state: value === 'open' ? undefined : (value ?? undefined) })}
      />
      <MultiSelect
        label="Severity"
        placeholder={severity === undefined ? 'All' : ''}
        data={severities.map((value) => ({ value, label: humanize(value) }))}
        value={severity === undefined ? [] : severity.split(',')}
        onChange={(values) => change({ severity: values.join(',') })}
      />
      {total !== null && total !== undefined && (
        <Text size="sm" c="dimmed" role="status" pb="xs">
          {total === 1 ? '1 finding' : `${formatNumber(total)} findings`}
        </Text>
      )}
    </FilterGrid>
  );
}
