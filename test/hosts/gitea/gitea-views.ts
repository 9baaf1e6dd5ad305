import type {
  ForgeComment,
  ForgeOrganization,
  ForgePull,
  ForgeRepository,
  ForgeReview,
  ForgeUser,
} from '../forge/forge-data.ts';
import type { GiteaDouble } from './gitea-double.ts';

export const instant = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z');

export const userView = ({ id, login, email }: ForgeUser) => ({ id, login, username: login, email });

const reviewStates = {
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  commented: 'COMMENT',
  pending: 'PENDING',
};

export const reviewView = (
  { id, user, state, at, commit, comments, isDismissed = false }: ForgeReview,
  pull: ForgePull,
) => ({
  id,
  user: userView(user),
  state: reviewStates[state],
  submitted_at: instant(at),
  commit_id: commit,
  dismissed: isDismissed,
  stale: commit !== pull.commits.at(-1)!.sha,
  comments_count: comments.length,
});

export const organizationView = ({ id, name }: ForgeOrganization) => ({ id, name, username: name });

export function repositoryView(repository: ForgeRepository, reader: ForgeUser) {
  return {
    id: repository.id,
    name: repository.name,
    full_name: `${repository.organization.name}/${repository.name}`,
    private: repository.isPrivate,
    archived: repository.isArchived,
    permissions: {
      admin: repository.organization.owners.has(reader.id),
      push: repository.organization.owners.has(reader.id),
      pull: true,
    },
  };
}

export function pullView(double: GiteaDouble, pull: ForgePull) {
  const { repository, commits } = pull;
  return {
    id: pull.id,
    number: pull.number,
    html_url: `${double.url}/${repository.organization.name}/${repository.name}/pulls/${pull.number}`,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.isDraft,
    title: pull.title,
    body: pull.description,
    labels: pull.labels.length === 0 ? null : pull.labels.map((name) => ({ name })),
    user: userView(pull.author),
    created_at: instant(pull.createdAt),
    updated_at: instant(pull.updatedAt),
    merged: pull.state === 'merged',
    merged_at: pull.state === 'merged' ? instant(pull.closedAt!) : null,
    closed_at: pull.closedAt === null ? null : instant(pull.closedAt),
    requested_reviewers: pull.asked.users.length === 0 ? null : pull.asked.users.map(userView),
    requested_reviewers_teams:
      pull.asked.teams.length === 0 ? null : pull.asked.teams.map(({ id, name }) => ({ id, name })),
    additions: pull.size.added,
    deletions: pull.size.removed,
    changed_files: pull.size.files,
    head: {
      sha: commits.at(-1)!.sha,
      ref: 'topic',
      repo_id: repository.id + (pull.isFork ? 1_000_000 : 0),
    },
    base: { ...pull.base, repo_id: repository.id },
  };
}

export function commentView(
  double: GiteaDouble,
  pull: ForgePull,
  { id, user, body, at, editedAt }: ForgeComment,
) {
  return {
    id,
    html_url: `${pullView(double, pull).html_url}#issuecomment-${id}`,
    user: userView(user),
    body,
    created_at: instant(at),
    updated_at: instant(editedAt ?? at),
  };
}

export const commitView = ({ sha, at, isMerge }: ForgePull['commits'][number]) => ({
  sha,
  parents: isMerge ? [{}, {}] : [{}],
  commit: { committer: { date: instant(at) } },
});
