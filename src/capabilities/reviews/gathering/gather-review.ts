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
  /** PATH, where programs of this machine are looked for. */
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

/** What one attempt at a run reviews with. */
export interface Gathering {
  readonly run: RunKey & { readonly number: number };
  readonly settings: ReviewSettings;
  readonly configuration: ReviewConfiguration;
  readonly pullRequest?: PullRequestContext | undefined;
}

/** The rules and the model of a review as its organization has set them up. Nothing is spent before the model is asked. */
export async function gatherReview(
  deps: GatheringDeps,
  { run, settings, configuration, pullRequest }: Gathering,
): Promise<Pick<ReviewRequest, 'own' | 'model' | 'records' | 'advisories'>> {
  const { searchPath, model } = deps;
  const { organizationId, runId } = run;
  const own = { astGrepRules: settings.astGrepRules, searchPath };
  const records = await findRuleRecords(deps.database.sql, organizationId);
  const advisories = deps.findAdvisories;
  if (model === undefined) return { own, records, advisories, model: undefined };
  const [row] = await deps.database.sql<[{ repositoryId: RepositoryId }]>`
    SELECT repository_id AS "repositoryId" FROM review_runs WHERE organization_id = ${organizationId} AND id = ${runId}`;
  const learnings = {
    find: (query: ReviewQuery) => deps.findLearnings({ organizationId, ...row }, pullRequest?.number, query),
  };
  return {
    own,
    records,
    advisories,
    model: organizationModel(deps, model, { run, settings, configuration, learnings, pullRequest }),
  };
}
