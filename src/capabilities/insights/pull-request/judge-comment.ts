import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type JudgedFinding, takeWord } from '../../findings/judge-finding.ts';
import { listSignalsOf, type SignalPage, type SignalPageRange } from '../../findings/list-signals.ts';
import type { ReportDeps } from '../../findings/outcomes/report-outcomes.ts';
import { type PullRequestReference, readPullRequest } from './read-pull-request-page.ts';

export interface CommentReference extends PullRequestReference {
  readonly findingId: string;
}

/** A comment of any reviewer on a pull request, and the key of its outcome. */
async function locateComment(
  deps: { readonly database: Database },
  context: Pick<CallerContext, 'scope'>,
  { findingId, ...reference }: CommentReference,
): Promise<JudgedFinding> {
  const { pullRequest, comments } = await readPullRequest(deps, context, reference);
  const comment = comments.find(({ finding_id }) => finding_id === findingId);
  if (comment === undefined) throw new AppError('NOT_FOUND', 'The pull request has no such comment');
  return {
    key: {
      organizationId: onlyOrganization(context.scope).organization.id,
      repositoryId: pullRequest.repositoryKey,
      of: { pullRequest: reference.number },
      findingId,
    },
    title: comment.title ?? comment.url,
    prUrl: pullRequest.url,
    place: { repository_id: reference.repositoryId, pull_request: reference.number },
  };
}

/** Records a person's verdict on a comment, whoever raised it. */
export async function judgeComment(
  deps: ReportDeps,
  context: CallerContext,
  reference: CommentReference,
  accepted: boolean | null,
): Promise<void> {
  await takeWord(deps, context, await locateComment(deps, context, reference), accepted);
}

/** Everything that was observed about a comment, newest first. */
export async function listCommentSignals(
  deps: { readonly database: Database },
  context: Pick<CallerContext, 'scope'>,
  reference: CommentReference,
  range: SignalPageRange,
): Promise<SignalPage> {
  const { key } = await locateComment(deps, context, reference);
  return listSignalsOf(deps, key, range);
}
