import { WindowPicker } from '../../components/filters/window-picker.tsx';
import { PageTitle } from '../../components/query-state.tsx';
import { useView } from '../../lib/session.ts';
import { Panels } from './panels.tsx';
import { RepositoryRows } from './repository-rows.tsx';

/** Statistics of merged pull requests, of the comments on them, and of the outcomes of these. */
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
