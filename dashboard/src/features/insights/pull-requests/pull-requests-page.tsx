import { useView } from '../../../lib/session.ts';
import { MergedList } from '../merged-list.tsx';
import type { PullRequestPage } from '../wire.ts';
import { PullRequestTable } from './pull-request-table.tsx';

/** The pull requests merged in the window, newest first. */
export default function PullRequestsPage() {
  const { name } = useView();
  return (
    <MergedList<PullRequestPage>
      list="pull-requests"
      title="Pull requests"
      about={`Pull requests merged in ${name} in this period, newest first`}
      whenEmpty="No merged pull requests"
    >
      {(rows) => <PullRequestTable rows={rows} />}
    </MergedList>
  );
}
