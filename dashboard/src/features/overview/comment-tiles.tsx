import { SimpleGrid, Title } from '@mantine/core';
import { Tile } from '../../components/tile.tsx';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { aboveChance, acceptanceOf, minDecided, type Outcomes } from '../insights/measures/acceptance.ts';
import { signedPoints } from '../insights/measures/acceptance-text.ts';
import { outcomes } from '../insights/measures/outcomes.ts';
import type { WindowSummary } from '../insights/wire.ts';
import { describeChange, describePoints } from './compare.ts';
import { CountTile, notEnoughData } from './count-tile.tsx';

/** The outcomes of the comments in the window; each number links to its list. */
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
        <CountTile
          label="Posted"
          count={total.posted}
          page="comments"
          filters={filters}
          about="Comments on merged pull requests"
          change={previous && describeChange(total.posted, previous.posted)}
        />
        {outcomes.map(({ name, label }) => (
          <CountTile
            key={name}
            label={label}
            count={total[name]}
            page="comments"
            filters={{ ...filters, outcome: name }}
            about={`${share(total[name])}${name === 'not_accepted' ? '; not proof of rejection' : ''}`}
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
      about={`95% interval: ${formatPercent(low)} to ${formatPercent(high)}, from ${formatNumber(decided)} with a known outcome; ${formatPercent(total.unknown / total.posted)} of all are unknown`}
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
        about={`Needs ${minDecided} comments whose lines Postil tracked until the merge`}
      />
    );
  return (
    <Tile
      label="Above chance"
      value={`${signedPoints(above.rate)} points`}
      about={`95% interval: ${signedPoints(above.low)} to ${signedPoints(above.high)}; ${formatPercent(above.chance)} of lines like these change anyway`}
    />
  );
}
