import type { RepositoryId } from '../../../lib/ids.ts';
import type { ReviewConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import type { ReviewRequest } from '../../../reviewer/review/review-request.ts';
import type { FindAdvisories } from '../../../reviewer/rules/dependencies/osv/find-advisories.ts';
import type { LearningForReview, ReviewQuery } from '../../learnings/search/find-for-review.ts';
import { findRuleRecords } from '../attention/rule-store.ts';
import type { RunKey } from '../runs/run-record.ts';
import type { ReviewSettings } from '../settings/review-settings.ts';
import {
  type InstallationModel,
  type OrganizationModelDeps,
  organizationModel,
  type PullRequestContext,
} from './organization-model.ts';

export interface GatheringDeps extends OrganizationModelDeps {
  /** The PATH to look for programs in. */
  readonly searchPath: string | undefined;
  /** The model of the installation, if there is one. */
  readonly model?: InstallationModel | undefined;
  /** Advisories that the operator imported. */
  readonly findAdvisories: FindAdvisories;
  /** Learnings that a review of the repository, or of one of its pull requests, may follow. */
  readonly findLearnings: (
    repository: Pick<RunKey, 'organizationId'> & { readonly repositoryId: RepositoryId },
    pullRequest: number | undefined,
    query: ReviewQuery,
  ) => Promise<readonly LearningForReview[]>;
}

/** What one attempt at a run needs to review: rules and model. */
export interface Gathering {
  readonly run: RunKey & { readonly lease: string };
  readonly settings: ReviewSettings;
  readonly configuration: ReviewConfiguration;
  readonly pullRequest?: PullRequestContext | undefined;
}

/** The rules and the model of a review, as configured by its organization. No cost arises before the model is asked. */
export async function gatherReview(
  deps: GatheringDeps,
  { run, settings, configuration, pullRequest }: Gathering,
): Promise<Pick<ReviewRequest, 'own' | 'owner' | 'model' | 'records' | 'advisories'>> {
  const { searchPath, model } = deps;
  const { organizationId, runId } = run;
  const own = { astGrepRules: settings.astGrepRules, searchPath };
  const records = await findRuleRecords(deps.database.sql, organizationId);
  const advisories = deps.findAdvisories;
  const [{ repositoryId, owner }] = await deps.database.sql<[{ repositoryId: RepositoryId; owner: string }]>`
    SELECT r.repository_id AS "repositoryId", coalesce((
      SELECT split_part(s.full_name, '/', 1) FROM connection_repositories s
      WHERE s.organization_id = r.organization_id AND s.repository_id = r.repository_id
      ORDER BY s.connection_id LIMIT 1), o.name) AS owner
    FROM review_runs r JOIN organizations o ON o.id = r.organization_id
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
  if (model === undefined) return { own, owner, records, advisories, model: undefined };
  const learnings = {
    find: (query: ReviewQuery) =>
      deps.findLearnings({ organizationId, repositoryId }, pullRequest?.number, query),
  };
  return {
    own,
    owner,
    records,
    advisories,
    model: organizationModel(deps, model, { run, settings, configuration, learnings, pullRequest }),
  };
}
