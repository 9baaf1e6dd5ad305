import { findOwnSummary } from '../../reviews/publishing/own-comments.ts';
import { withPauseNotice } from '../../reviews/publishing/summary-text.ts';
import { findReviewed } from '../../reviews/reviewed-pull-requests/find-reviewed.ts';
import { refOf } from '../../reviews/reviewed-pull-requests/running/plan-run.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';

/**
 * Updates the summary, if there is one, to show whether automatic reviews are paused. It is read just before: since the
 * scene was read, other comments may have been answered for minutes, and a run may have written a newer summary.
 */
export async function showPause(
  { database }: ConversationDeps,
  { key, served, host }: Pick<Scene, 'key' | 'served' | 'host'>,
): Promise<void> {
  const summary = await findOwnSummary(host, refOf(served), key.number);
  const pull = await findReviewed(database.sql, key);
  if (pull === undefined || summary === undefined) return;
  const text = withPauseNotice(summary.body, pull.isPaused);
  if (text !== summary.body) await host.editComment(refOf(served), key.number, summary.id, text);
}
