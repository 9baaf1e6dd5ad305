import { NativeSelect } from '@mantine/core';
import { PageTitle } from '../../components/query-state.tsx';
import { useFilters } from '../../lib/search.ts';
import { useView } from '../../lib/session.ts';
import { CheckedList } from './checked-list.tsx';
import { EnforcedChecks } from './enforced-checks.tsx';
import { HeldChecks } from './held-checks.tsx';
import { MeasureList } from './measure-list.tsx';
import { OverrideList } from './override-list.tsx';

const parts = [
  { value: 'pull-requests', label: 'Pull requests' },
  { value: 'repository', label: 'Checks of a repository' },
  { value: 'metrics', label: 'Statistics' },
  { value: 'overrides', label: 'Overrides' },
];
const forAdmins = { value: 'enforced', label: 'Enforced checks' };

/** Checks before the merge: their results, which ones apply, their statistics, overrides, and enforced checks. */
export default function ChecksPage() {
  const view = useView();
  const [{ show = 'pull-requests' }, change] = useFilters();
  return (
    <>
      <PageTitle
        title="Checks"
        about={`Conditions for pull requests in ${view.name}, checked before they are merged`}
      >
        <NativeSelect
          data={view.isAdmin ? [...parts, forAdmins] : parts}
          value={show}
          onChange={({ currentTarget: { value } }) =>
            change({
              show: value === 'pull-requests' ? undefined : value,
              state: undefined,
              search: undefined,
            })
          }
          aria-label="What to show"
        />
      </PageTitle>
      {show === 'repository' && <HeldChecks view={view} />}
      {show === 'metrics' && <MeasureList view={view} />}
      {show === 'overrides' && <OverrideList view={view} />}
      {show === 'enforced' && view.isAdmin && <EnforcedChecks view={view} />}
      {show === 'pull-requests' && <CheckedList view={view} />}
    </>
  );
}
