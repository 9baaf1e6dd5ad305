import type { ForgeReview, ForgeUser } from './forge-state.ts';

export const instant = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z');

export const userView = ({ id, login, email }: ForgeUser) => ({ id, login, username: login, email });

const reviewStates = {
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  commented: 'COMMENT',
  pending: 'PENDING',
};

export const reviewView = ({ id, user, state, at, commit, comments }: ForgeReview) => ({
  id,
  user: userView(user),
  state: reviewStates[state],
  submitted_at: instant(at),
  commit_id: commit,
  comments_count: comments.length,
});
