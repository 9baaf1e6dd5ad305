import { WindowPicker } from '../../components/filters/window-picker.tsx';
import { PageTitle } from '../../components/query-state.tsx';
import { useView } from '../../lib/session.ts';
import { Panels } from './panels.tsx';
import { RepositoryRows } from './repository-rows.tsx';

/** How pull requests went, what reviews found on them, and what became of it. */
export default function OverviewPage() {
  const view = useView();
  return (
    <>
      <PageTitle
        title="Overview"
        about={`Pull requests merged in ${view.name} in this period, and the comments on them`}
      >
        <WindowPicker />
      </PageTitle>
      <Panels>
        <RepositoryRows />
      </Panels>
    </>
  );
}
