import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { commentSummary } from '../../../../src/capabilities/review-metrics/schemas.ts';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { useWindow, WindowPicker } from '../../components/window-picker.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import { useView } from '../../lib/session.ts';
import { acceptanceOf, minDecided, type Outcomes } from './acceptance.ts';
import { OutcomeBars } from './outcome-bars.tsx';
import { OutcomesOverTime } from './outcomes-over-time.tsx';

type Summary = z.output<typeof commentSummary>;

const severityOrder = ['critical', 'major', 'minor', 'trivial', 'info', null];

/** What reviews found on merged pull requests, and what became of it. */
export default function OverviewPage() {
  const view = useView();
  const { from, to } = useWindow();
  const query = useQuery({
    queryKey: ['summary', view.id, from, to],
    queryFn: () =>
      api<Summary>('GET', 'metrics/summary', { scope: view, query: { start_date: from, end_date: to } }),
  });
  return (
    <>
      <PageTitle title="Overview" about={`Review comments on pull requests merged in ${view.name}`}>
        <WindowPicker />
      </PageTitle>
      <QueryState query={query}>
        {(summary) =>
          summary.total.posted === 0 ? (
            <Empty title="No review comments in this period">
              Choose a longer period. Comments come in from connected Git hosts, or with{' '}
              <code>postil events send</code>.
            </Empty>
          ) : (
            <Charts summary={summary} from={from} to={to} />
          )
        }
      </QueryState>
    </>
  );
}

function Charts({ summary, from, to }: { summary: Summary; from: string; to: string }) {
  const severities = summary.severities.toSorted(
    (one, other) => severityOrder.indexOf(one.name) - severityOrder.indexOf(other.name),
  );
  const categories = summary.categories.toSorted((one, other) => other.posted - one.posted);
  return (
    <Stack gap="lg">
      <Tiles total={summary.total} />
      <OutcomesOverTime days={summary.days} from={from} to={to} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <OutcomeBars title="By severity" rows={severities} />
        <OutcomeBars title="By category" rows={categories} />
      </SimpleGrid>
      <OutcomeBars title="By repository" rows={summary.repositories.slice(0, 20)} showNamesVerbatim />
    </Stack>
  );
}

function Tile({ label, value, about }: { label: string; value: string; about: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={700} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
    </Paper>
  );
}

function Tiles({ total }: { total: Outcomes }) {
  const acceptance = acceptanceOf(total);
  const share = (count: number) => `${formatPercent(count / total.posted)} of all`;
  return (
    <section aria-label="Totals">
      <Title order={2} className="visually-hidden">
        Totals
      </Title>
      <SimpleGrid cols={{ base: 2, lg: 5 }} spacing={{ base: 'xs', sm: 'md' }}>
        <Tile
          label="Acceptance rate"
          value={acceptance === undefined ? 'Not enough data' : formatPercent(acceptance.rate)}
          about={
            acceptance === undefined
              ? `Fewer than ${minDecided} comments with a known outcome`
              : `95% interval: ${formatPercent(acceptance.low)} to ${formatPercent(acceptance.high)}, from ${formatNumber(acceptance.decided)} with a known outcome`
          }
        />
        <Tile label="Posted" value={formatNumber(total.posted)} about="Comments on merged pull requests" />
        <Tile label="Accepted" value={formatNumber(total.accepted)} about={share(total.accepted)} />
        <Tile
          label="Not accepted"
          value={formatNumber(total.not_accepted)}
          about={`${share(total.not_accepted)}; not proof of rejection`}
        />
        <Tile label="Unknown" value={formatNumber(total.unknown)} about={share(total.unknown)} />
      </SimpleGrid>
    </section>
  );
}
