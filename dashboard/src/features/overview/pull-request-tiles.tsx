import { SimpleGrid, Title } from '@mantine/core';
import { Tile } from '../../components/tile.tsx';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { describeSpread, minValues } from '../insights/measures/spread-text.ts';
import type { Measures, Spread, WindowSummary } from '../insights/wire.ts';
import { describeChange, describePoints } from './compare.ts';
import { CountTile, notEnoughData } from './count-tile.tsx';

/** Statistics of pull requests: their number, times and iterations. */
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
    <section aria-label="Pull requests in total">
      <Title order={2} className="visually-hidden">
        Pull requests
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing={{ base: 'xs', sm: 'md' }}>
        <CountTile
          label="Pull requests"
          count={total.pull_requests}
          page="pull-requests"
          filters={filters}
          about="Merged in this period"
          change={describeChange(total.pull_requests, previous.pull_requests)}
        />
        <ReviewedTile now={total} before={previous} />
        <SpreadTile
          label="Time to first review"
          unit="seconds"
          now={total.first_review}
          before={previous.first_review}
        />
        <SpreadTile label="Time to merge" unit="seconds" now={total.merge} before={previous.merge} />
        <SpreadTile label="Iterations" unit="number" now={total.iterations} before={previous.iterations} />
        <Tile
          label="Comments per pull request"
          value={perPullRequest(total.posted, total.pull_requests)}
          about="Average, including those without comments"
          change={`${perPullRequest(previous.posted, previous.pull_requests)} in the previous period`}
        />
      </SimpleGrid>
    </section>
  );
}

/** The share of pull requests that a person has reviewed. */
function ReviewedTile({ now, before }: { now: Measures; before: Measures }) {
  const shareOf = ({ first_review, pull_requests }: Measures) => first_review.count / pull_requests;
  if (now.pull_requests < minValues)
    return (
      <Tile
        label="Reviewed by people"
        value={notEnoughData}
        about={`Fewer than ${minValues} pull requests`}
      />
    );
  return (
    <Tile
      label="Reviewed by people"
      value={formatPercent(shareOf(now))}
      about={`${formatNumber(now.first_review.count)} pull requests had a review by a person`}
      change={before.pull_requests < minValues ? undefined : describePoints(shareOf(now), shareOf(before))}
    />
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
  const previous = describeSpread(before, unit, now);
  return (
    <Tile
      label={label}
      value={described.median}
      about={`Median; half of them ${described.range}`}
      change={previous && `${previous.median} in the previous period`}
    />
  );
}
