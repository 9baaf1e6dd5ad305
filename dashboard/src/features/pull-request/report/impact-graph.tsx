import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import type { Place } from '../place.ts';
import type { Report } from '../wire.ts';
import './impact.css';

type Entry = Report['impact'][number];

const changes: Readonly<Record<Entry['change'], string>> = {
  removed: 'is removed',
  renamed: 'is renamed',
  signature: 'has different parameters',
  made_async: 'is now asynchronous',
  moved: 'is moved',
};
const states = {
  broken: { color: 'red', text: 'broken' },
  unknown: { color: 'orange', text: 'unknown' },
  fits: { color: 'teal', text: 'compatible' },
  updated: { color: 'indigo', text: 'updated' },
} as const;
const rowHeight = 40;

const keyOf = ({ symbol, path, line }: Entry) => `${path}:${line} ${symbol}`;
const brokenIn = ({ references }: Entry) => references.filter(({ state }) => state === 'broken').length;

/** Lines from one name to each of its uses. They are decorative: the list has the same information. */
function Lines({ references }: Pick<Entry, 'references'>) {
  const height = references.length * rowHeight;
  return (
    <svg className="impact-lines" width="72" height={height} viewBox={`0 0 72 ${height}`} aria-hidden="true">
      {references.map(({ state }, index) => {
        const y = index * rowHeight + rowHeight / 2;
        return (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: the uses do not move
            key={index}
            d={`M0 ${height / 2} C40 ${height / 2} 32 ${y} 72 ${y}`}
            fill="none"
            stroke={`var(--mantine-color-${states[state].color}-6)`}
            strokeWidth={state === 'broken' ? 2 : 1}
          />
        );
      })}
    </svg>
  );
}

/**
 * The impact of the change on code that uses the altered names: one name with its uses at a time. A use in a file with another
 * altered name has a button that leads to that name.
 */
export function ImpactGraph({ report, onOpen }: { report: Report; onOpen: (place: Place) => void }) {
  const { impact, total_impact } = report;
  const [chosen, setChosen] = useState(keyOf(impact[0]!));
  const entry = impact.find((one) => keyOf(one) === chosen) ?? impact[0]!;
  return (
    <>
      <Group gap="xs" mb="sm" role="group" aria-label="Changed symbols">
        {impact.map((one) => (
          <Button
            key={keyOf(one)}
            size="xs"
            variant={one === entry ? 'filled' : 'default'}
            aria-pressed={one === entry}
            onClick={() => setChosen(keyOf(one))}
          >
            {one.symbol}
            {brokenIn(one) > 0 && ` · ${brokenIn(one)} broken`}
          </Button>
        ))}
        {total_impact > impact.length && (
          <Text size="sm">and {formatNumber(total_impact - impact.length)} more</Text>
        )}
      </Group>
      <div className="impact-graph">
        <div className="impact-symbol">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {entry.symbol}
            {entry.renamed_to !== null && ` → ${entry.renamed_to}`}
          </Text>
          <Text size="sm">{changes[entry.change]}</Text>
          <button type="button" className="plain-link" onClick={() => onOpen(entry)}>
            {entry.path}:{entry.line}
          </button>
        </div>
        <Lines references={entry.references} />
        <ul className="impact-uses" aria-label={`Uses of ${entry.symbol}`}>
          {entry.references.map(({ path, line, state }, index) => {
            const next = impact.find((one) => one !== entry && one.path === path);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the uses do not move
              <li key={index}>
                <Badge color={states[state].color}>{states[state].text}</Badge>
                <button type="button" className="plain-link" onClick={() => onOpen({ path, line })}>
                  {path}:{line}
                </button>
                {next !== undefined && (
                  <Button size="compact-xs" variant="subtle" onClick={() => setChosen(keyOf(next))}>
                    Go to {next.symbol}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {entry.total_references > entry.references.length && (
        <Text size="sm" mt="xs">
          and {formatNumber(entry.total_references - entry.references.length)} more uses
        </Text>
      )}
    </>
  );
}
