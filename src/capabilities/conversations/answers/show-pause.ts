import type { HostComment } from '../../connections/hosts/review-host.ts';
import { readMarker } from '../../reviews/publishing/markers.ts';
import { withPauseNotice } from '../../reviews/publishing/summary-text.ts';
import { findReviewed } from '../../reviews/reviewed-pull-requests/find-reviewed.ts';
import { refOf } from '../../reviews/reviewed-pull-requests/running/plan-run.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';

const isSummary = ({ isOwn, body }: HostComment) => isOwn && readMarker(body)?.kind === 'summary';

/** Updates the summary, if there is one, to show whether automatic reviews are paused. */
export async function showPause(
  { database }: ConversationDeps,
  { key, served, host, conversation }: Scene,
): Promise<void> {
  const pull = await findReviewed(database.sql, key);
  let summary = conversation.own.find(isSummary);
  // The scene contains recent comments only, so an older summary has to be found separately.
  if (summary === undefined && pull?.lastReview != null)
    summary = (await Array.fromAsync(host.listConversation(refOf(served), key.number))).find(isSummary);
  if (pull === undefined || summary === undefined) return;
  const text = withPauseNotice(summary.body, pull.isPaused);
  if (text !== summary.body) await host.editComment(refOf(served), key.number, summary.id, text);
}
