import { SimpleGrid, Title } from '@mantine/core';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/insight-filters.ts';
import { InsightLink } from '../insights/insight-link.tsx';
import type { WindowSummary } from '../insights/wire.ts';
import { aboveChance, acceptanceOf, minDecided, type Outcomes } from './acceptance.ts';
import { describeChange, describePoints } from './compare.ts';
import { notEnoughData, Tile } from './tile.tsx';

const outcomes = [
  { name: 'accepted', label: 'Accepted', note: '' },
  { name: 'not_accepted', label: 'Not accepted', note: '; not proof of rejection' },
  { name: 'unknown', label: 'Unknown', note: '' },
] as const;

/** What became of the comments of the window, each number with its list. */
export function CommentTiles({
  total,
  insights,
  filters,
}: {
  total: Outcomes;
  insights: WindowSummary | undefined;
  filters: InsightFilters;
}) {
  const share = (count: number) => `${formatPercent(count / total.posted)} of all`;
  const previous = insights?.previous;
  return (
    <section aria-label="Totals">
      <Title order={2} className="visually-hidden">
        Totals
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing={{ base: 'xs', sm: 'md' }}>
        <AcceptanceTile total={total} insights={insights} />
        <AboveChanceTile insights={insights} />
        <Tile
          label="Posted"
          value={
            <InsightLink page="comments" filters={filters}>
              {formatNumber(total.posted)}
            </InsightLink>
          }
          about="Comments on merged pull requests"
          change={previous && describeChange(total.posted, previous.posted)}
        />
        {outcomes.map(({ name, label, note }) => (
          <Tile
            key={name}
            label={label}
            value={
              <InsightLink page="comments" filters={{ ...filters, outcome: name }}>
                {formatNumber(total[name])}
              </InsightLink>
            }
            about={`${share(total[name])}${note}`}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}

function AcceptanceTile({ total, insights }: { total: Outcomes; insights: WindowSummary | undefined }) {
  const acceptance = acceptanceOf(total);
  const before = insights && acceptanceOf(insights.previous);
  if (acceptance === undefined)
    return (
      <Tile
        label="Acceptance rate"
        value={notEnoughData}
        about={`Fewer than ${minDecided} comments with a known outcome`}
      />
    );
  const { rate, low, high, decided } = acceptance;
  return (
    <Tile
      label="Acceptance rate"
      value={formatPercent(rate)}
      about={`95% interval: ${formatPercent(low)} to ${formatPercent(high)}, from ${formatNumber(decided)} with a known outcome`}
      change={before && describePoints(rate, before.rate)}
    />
  );
}

function AboveChanceTile({ insights }: { insights: WindowSummary | undefined }) {
  const above = insights && aboveChance(insights.total.compared);
  if (above === undefined)
    return (
      <Tile
        label="Above chance"
        value={notEnoughData}
        about={`Needs ${minDecided} comments whose lines Postil followed to the merge`}
      />
    );
  const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)}`;
  return (
    <Tile
      label="Above chance"
      value={`${points(above.rate)} points`}
      about={`95% interval: ${points(above.low)} to ${points(above.high)}; ${formatPercent(above.chance)} of such lines change anyway`}
    />
  );
}
