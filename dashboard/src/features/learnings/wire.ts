import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/learnings/schemas.ts';
import type { Scope } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';

export type LearningPage = z.output<typeof schemas.learningPage>;
export type Learning = LearningPage['data'][number];
export type UsagePage = z.output<typeof schemas.usagePage>;
export type LearningUsage = UsagePage['data'][number];
export type AlikeLearning = LearningUsage['alike'][number];
export type CitingPage = z.output<typeof schemas.citingPage>;
export type RetirementResult = z.output<typeof schemas.retirementResult>;
export type UsageSummary = z.output<typeof schemas.usageSummary>;
export type FoundLearning = z.output<typeof schemas.searchResult>['data'][number];
export type PendingPage = z.output<typeof schemas.pendingPage>;
export type PendingLearning = PendingPage['data'][number];
export type CreateResult = z.output<typeof schemas.createResult>;
export type DecisionResult = z.output<typeof schemas.decisionResult>;

/** The organization a Learning belongs to, for acting on it from a workspace view. */
export function scopeOfLearning(view: View, { organization_id, organization_name }: Learning): Scope {
  const organization = view.organizations.find(
    ({ org_id, name }) => org_id === organization_id && name === organization_name,
  );
  return organization === undefined ? view : { kind: 'organization', id: organization.id };
}

/** The queries that a change to Learnings invalidates. */
export function learningKeys(view: View) {
  return [
    ['learnings', view.id],
    ['pending', view.id],
    ['found', view.id],
  ];
}
