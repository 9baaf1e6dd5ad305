import type { ForgeChange } from '../forge/forge-data.ts';

/** The event, its exact type, and the action in the body of a webhook. */
export function eventNames({ kind, review }: ForgeChange): [string, string, string] {
  switch (kind) {
    case 'pushed':
      return ['pull_request', 'pull_request_sync', 'synchronized'];
    case 'commented':
      return ['issue_comment', 'pull_request_comment', 'created'];
    case 'reviewed': {
      const type = { approved: 'approved', changes_requested: 'rejected', commented: 'comment', pending: '' };
      const name = `pull_request_${type[review!.state]}`;
      return [name, name.replace('request_', 'request_review_'), 'reviewed'];
    }
    case 'merged':
      return ['pull_request', 'pull_request', 'closed'];
    case 'ready':
      return ['pull_request', 'pull_request', 'edited'];
    default:
      return ['pull_request', 'pull_request', kind];
  }
}
