import { SimpleGrid, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { FilterTile } from '../../components/tile.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { RuleTable } from './rule-table.tsx';
import { isUntried, mostHeardFirst, type Rule, type RulePage, rulesKey, states } from './wire.ts';

/** Loads all rules: they are few, and are counted and searched on the client. */
async function readRules(view: View): Promise<readonly Rule[]> {
  const rules: Rule[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api<RulePage>('GET', 'reviews/rules', { scope: view, query: { cursor } });
    rules.push(...page.data);
    if (page.next_cursor === null) return rules.sort(mostHeardFirst);
    cursor = page.next_cursor;
  }
}

/** The outcomes of every rule, and its state, which admins can change. */
export default function RulesPage() {
  const view = useView();
  const query = useQuery({ queryKey: rulesKey(view.id), queryFn: () => readRules(view) });
  return (
    <>
      <PageTitle
        title="Rules"
        about="A rule whose comments are rarely accepted becomes quiet. One in ten of its findings is still posted, so that it can become active again."
      />
      <QueryState query={query}>{(rules) => <Board rules={rules} view={view} />}</QueryState>
    </>
  );
}

const meanings: Readonly<Record<Rule['state'], string>> = {
  quiet: 'rarely accepted',
  active: 'comments are posted',
  pinned: 'never quiet',
  off: 'raises no findings',
};

function Board({ rules, view }: { rules: readonly Rule[]; view: View }) {
  const [{ state, search = '', untried }, change] = useFilters();
  const all = untried === 'true' ? rules : rules.filter((rule) => !isUntried(rule));
  const wanted = search.toLowerCase();
  const shown = all.filter(
    (rule) => (state === undefined || rule.state === state) && rule.rule.toLowerCase().includes(wanted),
  );
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="lg">
        {states.map((each) => (
          <FilterTile
            key={each}
            label={humanize(each)}
            value={formatNumber(all.filter((rule) => rule.state === each).length)}
            about={meanings[each]}
            isChosen={state === each}
            onChoose={() => change({ state: state === each ? undefined : each })}
          />
        ))}
      </SimpleGrid>
      <FilterGrid>
        <FilterText label="Search" placeholder="oxlint/no-eval" />
        <Switch
          label="Show unused"
          checked={untried === 'true'}
          onChange={({ currentTarget }) => change({ untried: currentTarget.checked ? 'true' : undefined })}
        />
      </FilterGrid>
      {shown.length === 0 ? (
        <Empty title="No rules">
          {all.length === 0
            ? 'No rule has been used yet. Rules appear here when they have commented on a pull request.'
            : 'No rule matches these filters.'}
        </Empty>
      ) : (
        <RuleTable rules={shown} view={view} />
      )}
    </>
  );
}
