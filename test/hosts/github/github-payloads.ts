import type {
  ForgeChange,
  ForgeComment,
  ForgePull,
  ForgeRepository,
  ForgeReview,
  ForgeUser,
} from '../forge/forge-data.ts';
import { gitHubEvent } from './github-schemas.ts';

export function userObject(url: string, { id, login, isBot }: ForgeUser) {
  const name = isBot ? `${login}[bot]` : login;
  return { id, login: name, type: isBot ? 'Bot' : 'User', html_url: `${url}/${login}` };
}

export function repositoryObject(url: string, repository: ForgeRepository) {
  const { organization } = repository;
  return {
    id: repository.id,
    name: repository.name,
    full_name: `${organization.name}/${repository.name}`,
    private: repository.isPrivate,
    visibility: repository.isPrivate ? 'private' : 'public',
    archived: repository.isArchived,
    disabled: false,
    pushed_at: '2026-01-01T00:00:00Z',
    html_url: `${url}/${organization.name}/${repository.name}`,
    owner: { id: organization.id, login: organization.name, type: 'Organization' },
  };
}

function pullRequestObject(url: string, pull: ForgePull) {
  const repository = repositoryObject(url, pull.repository);
  const instant = (date: Date | null) => date?.toISOString() ?? null;
  return {
    id: pull.id,
    number: pull.number,
    html_url: `${repository.html_url}/pull/${pull.number}`,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.isDraft,
    title: pull.title,
    body: pull.description,
    labels: pull.labels.map((name) => ({ name })),
    user: userObject(url, pull.author),
    created_at: instant(pull.createdAt),
    updated_at: instant(pull.updatedAt),
    closed_at: instant(pull.closedAt),
    merged_at: pull.state === 'merged' ? instant(pull.closedAt) : null,
    merged: pull.state === 'merged',
    head: { sha: pull.commits.at(-1)!.sha, ref: 'topic', repo: pull.isFork ? null : repository },
    base: { ...pull.base, repo: repository },
  };
}

const eventName = (action: string) => `pull-request-${action.replaceAll('_', '-')}`;

export function pullRequestEvent(url: string, action: string, pull: ForgePull, by: ForgeUser) {
  return gitHubEvent(eventName(action), {
    action,
    number: pull.number,
    pull_request: pullRequestObject(url, pull),
    repository: repositoryObject(url, pull.repository),
    sender: userObject(url, by),
  });
}

export function reviewedEvent(url: string, pull: ForgePull, review: ForgeReview) {
  return gitHubEvent('pull-request-review-submitted', {
    action: 'submitted',
    pull_request: pullRequestObject(url, pull),
    review: { id: review.id, body: review.body, state: review.state, user: userObject(url, review.user) },
    repository: repositoryObject(url, pull.repository),
    sender: userObject(url, review.user),
  });
}

export function commentedEvent(url: string, pull: ForgePull, comment: ForgeComment) {
  const { html_url } = pullRequestObject(url, pull);
  return gitHubEvent('issue-comment-created', {
    action: 'created',
    issue: {
      number: pull.number,
      title: pull.title,
      state: 'open',
      pull_request: { html_url, url: html_url, diff_url: html_url, patch_url: html_url },
      user: userObject(url, pull.author),
    },
    comment: { id: comment.id, body: comment.body, user: userObject(url, comment.user) },
    repository: repositoryObject(url, pull.repository),
    sender: userObject(url, comment.user),
  });
}

const actions = {
  opened: 'opened',
  edited: 'edited',
  pushed: 'synchronize',
  closed: 'closed',
  merged: 'closed',
  reopened: 'reopened',
  ready: 'ready_for_review',
} as const;

/** The event that a change is reported as. */
export function eventOf(
  url: string,
  { kind, pull, by, comment, review }: ForgeChange,
): { event: string; payload: object } {
  if (kind === 'commented') return { event: 'issue_comment', payload: commentedEvent(url, pull, comment!) };
  if (kind === 'reviewed')
    return { event: 'pull_request_review', payload: reviewedEvent(url, pull, review!) };
  return { event: 'pull_request', payload: pullRequestEvent(url, actions[kind], pull, by) };
}
