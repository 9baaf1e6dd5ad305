import { Badge, NativeSelect, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAction } from '../../components/action.ts';
import { DataTable } from '../../components/lists/data-table.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { api } from '../../lib/api.ts';
import { formatDate, formatNumber, formatPercent, humanize } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { acceptanceText } from '../insights/measures/acceptance-text.ts';
import { type Rule, type RuleSetting, rulesKey, stateColors } from './wire.ts';

const settings: readonly { value: RuleSetting; label: string }[] = [
  { value: 'automatic', label: 'By outcomes' },
  { value: 'pinned', label: 'Pinned: never quiet' },
  { value: 'off', label: 'Off: no findings' },
];

const settingOf = ({ state }: Rule): RuleSetting =>
  state === 'pinned' || state === 'off' ? state : 'automatic';

/** Sets the state of a rule, or lets its outcomes decide. */
function Decision({ rule, view }: { rule: Rule; view: View }) {
  const decide = useAction(
    (state: RuleSetting) =>
      api<Rule>('PUT', 'reviews/rules', { scope: view, body: { rule: rule.rule, state } }),
    {
      invalidates: [rulesKey(view.id)],
      done: ({ state }) => `${rule.rule} is now ${state}`,
    },
  );
  return (
    <NativeSelect
      size="xs"
      aria-label={`Setting of ${rule.rule}`}
      data={[...settings]}
      value={decide.isPending ? decide.variables : settingOf(rule)}
      disabled={decide.isPending}
      onChange={({ currentTarget }) => decide.mutate(currentTarget.value as RuleSetting)}
    />
  );
}

function Acceptance({ rule: { accepted, rejected } }: { rule: Rule }) {
  if (accepted + rejected === 0) return '–';
  return (
    <div>
      {acceptanceText({ accepted, not_accepted: rejected })}
      <Text size="xs" c="dimmed">
        {formatNumber(accepted)} of {formatNumber(accepted + rejected)}
      </Text>
    </div>
  );
}

function columnsFor(view: View): Column<Rule>[] {
  return [
    {
      label: 'Rule',
      minWidth: 160,
      cell: ({ rule }) => (
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {rule}
        </Text>
      ),
    },
    {
      label: 'State',
      minWidth: 110,
      cell: ({ state, since }) => (
        <div>
          <Badge color={stateColors[state]}>{humanize(state)}</Badge>
          {since !== null && (
            <Text size="xs" c="dimmed">
              since {formatDate(since)}
            </Text>
          )}
        </div>
      ),
    },
    {
      label: 'Comments',
      cell: ({ posted, unknown }) => (
        <div>
          {formatNumber(posted)}
          {unknown > 0 && (
            <Text size="xs" c="dimmed">
              {formatNumber(unknown)} unknown
            </Text>
          )}
        </div>
      ),
    },
    { label: 'Accepted', minWidth: 130, cell: (rule) => <Acceptance rule={rule} /> },
    { label: 'By chance', cell: ({ chance }) => (chance === null ? '–' : formatPercent(chance)) },
    ...(view.isAdmin
      ? [
          {
            label: 'Setting',
            width: 190,
            cell: (rule: Rule) => <Decision rule={rule} view={view} />,
          },
        ]
      : []),
  ];
}

/** A table of rules, whose states admins can change. */
export function RuleTable({ rules, view }: { rules: readonly Rule[]; view: View }) {
  const columns = useMemo(() => columnsFor(view), [view]);
  return <DataTable label="Rules" columns={columns} rows={rules} rowKey={({ rule }) => rule} />;
}
