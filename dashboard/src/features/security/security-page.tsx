import {
  Badge,
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { findingPage, findingSummary } from '../../../../src/capabilities/security-findings/schemas.ts';
import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api, apiUrl } from '../../lib/api.ts';
import { formatDate, formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';

type FindingPage = z.output<typeof findingPage>;
type Finding = FindingPage['data'][number];
type Summary = z.output<typeof findingSummary>;

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const states = ['open', 'fixed', 'dismissed', 'all'] as const;
const colors = { critical: 'red', high: 'orange', medium: 'indigo', low: 'gray', info: 'gray' };

/** Findings of security scans by state and severity, to view and download. */
export default function SecurityPage() {
  const view = useView();
  const [{ state, severity }] = useFilters();
  const filters = { state, severity };
  const summary = useQuery({
    queryKey: ['security-summary', view.id],
    queryFn: () => api<Summary>('GET', 'security/summary', { scope: view }),
  });
  const query = usePages<FindingPage>(['security', view.id, filters], 'security/scans/code', view, {
    ...filters,
    limit: 50,
  });
  return (
    <>
      <PageTitle title="Security" about={`Findings of security scans in ${view.name}`}>
        <Downloads view={view} filters={filters} />
      </PageTitle>
      <QueryState query={summary} lines={1}>
        {({ counts }) => <Counts counts={counts} />}
      </QueryState>
      <Filters />
      <QueryState query={query}>
        {({ pages }) => {
          const findings = pages.flatMap(({ data }) => data);
          return findings.length === 0 ? (
            <Empty title="No findings">
              Nothing matches this state and severity. Send scans with <code>postil events send</code>.
            </Empty>
          ) : (
            <>
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {findings.map((finding) => (
                  <FindingCard key={finding.id} finding={finding} view={view} />
                ))}
              </Stack>
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
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
          <UnstyledButton
            key={level}
            aria-pressed={isChosen}
            onClick={() => change({ severity: isChosen ? undefined : level })}
          >
            <Paper
              withBorder
              p="md"
              bd={isChosen ? '2px solid var(--mantine-primary-color-filled)' : undefined}
            >
              <Text size="sm" c="dimmed">
                {humanize(level)}
              </Text>
              <Text fz={24} fw={700}>
                {formatNumber(countOf(level))}
              </Text>
            </Paper>
          </UnstyledButton>
        );
      })}
    </SimpleGrid>
  );
}

function Filters() {
  const [{ state, severity }, change] = useFilters();
  return (
    <Group mb="md" align="flex-end" gap="xs">
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
        miw={200}
      />
    </Group>
  );
}

function FindingCard({ finding, view }: { finding: Finding; view: View }) {
  const place =
    view.kind === 'workspace'
      ? `${finding.organization_name} / ${finding.repository_name}`
      : finding.repository_name;
  const lines =
    finding.start_line === finding.end_line
      ? finding.start_line
      : `${finding.start_line}–${finding.end_line}`;
  return (
    <Paper withBorder p="md" component="li">
      <Group gap="xs" mb={4}>
        <Badge variant="outline" color={colors[finding.severity]}>
          {finding.severity}
        </Badge>
        {finding.state !== 'open' && (
          <Badge variant="outline" color="gray">
            {finding.state}
          </Badge>
        )}
        <Text fw={600}>{finding.title}</Text>
      </Group>
      {finding.description !== null && (
        <Text size="sm" lineClamp={3} mb={4}>
          {finding.description}
        </Text>
      )}
      <Text size="xs" c="dimmed" style={{ wordBreak: 'break-word' }}>
        {place} · {finding.file_path}:{lines} · {finding.rule_id}
        {finding.cwe !== null && ` · ${finding.cwe}`} · found {formatDate(finding.first_detected_at)}, last
        seen {formatDate(finding.last_seen_at)}
        {finding.fixed_at !== null && `, fixed ${formatDate(finding.fixed_at)}`}
      </Text>
    </Paper>
  );
}
