import { useView } from '../../../lib/session.ts';
import { MergedList } from '../merged-list.tsx';
import type { CommentPage } from '../wire.ts';
import { CommentTable } from './comment-table.tsx';

/** The comments on pull requests merged in the window. */
export default function CommentsPage() {
  const { name } = useView();
  return (
    <MergedList<CommentPage>
      list="comments"
      title="Comments"
      about={`Review comments on pull requests merged in ${name} in this period`}
      whenEmpty="No comments on merged pull requests"
    >
      {(rows) => <CommentTable rows={rows} />}
    </MergedList>
  );
}
