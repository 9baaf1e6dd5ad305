import { SimpleGrid, Title } from '@mantine/core';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { describeSpread, minValues } from '../insights/measures/spread-text.ts';
import type { Spread, WindowSummary } from '../insights/wire.ts';
import { describeChange } from './compare.ts';
import { CountTile, notEnoughData, Tile } from './tile.tsx';

/** How pull requests went: how many, how fast, in how many rounds. */
export function PullRequestTiles({
  insights,
  filters,
}: {
  insights: WindowSummary;
  filters: InsightFilters;
}) {
  const { total, previous } = insights;
  const perPullRequest = (posted: number, count: number) => (count === 0 ? '–' : (posted / count).toFixed(1));
  return (
    <section aria-label="Pull requests">
      <Title order={2} className="visually-hidden">
        Pull requests
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing={{ base: 'xs', sm: 'md' }}>
        <CountTile
          label="Pull requests"
          count={total.pull_requests}
          page="pull-requests"
          filters={filters}
          about="Merged in this period"
          change={describeChange(total.pull_requests, previous.pull_requests)}
        />
        <SpreadTile
          label="To first review"
          unit="seconds"
          now={total.first_review}
          before={previous.first_review}
        />
        <SpreadTile label="To merge" unit="seconds" now={total.merge} before={previous.merge} />
        <SpreadTile label="Iterations" unit="number" now={total.iterations} before={previous.iterations} />
        <Tile
          label="Comments per pull request"
          value={perPullRequest(total.posted, total.pull_requests)}
          about="On average, pull requests without comments included"
          change={`${perPullRequest(previous.posted, previous.pull_requests)} in the period before`}
        />
      </SimpleGrid>
    </section>
  );
}

function SpreadTile({
  label,
  unit,
  now,
  before,
}: {
  label: string;
  unit: 'seconds' | 'number';
  now: Spread;
  before: Spread;
}) {
  const described = describeSpread(now, unit);
  if (described === undefined)
    return (
      <Tile label={label} value={notEnoughData} about={`Known for fewer than ${minValues} pull requests`} />
    );
  const previous = describeSpread(before, unit);
  return (
    <Tile
      label={label}
      value={described.median}
      about={`Median; half of them ${described.range}`}
      change={previous && `${previous.median} in the period before`}
    />
  );
}
