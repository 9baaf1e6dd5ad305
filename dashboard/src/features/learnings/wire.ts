import type { z } from 'zod';
import type {
  createResult,
  decisionResult,
  learningPage,
  pendingLearnings,
  searchResult,
  usagePage,
  usageSummary,
} from '../../../../src/capabilities/learnings/schemas.ts';
import type { Scope } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';

export type LearningPage = z.output<typeof learningPage>;
export type Learning = LearningPage['data'][number];
export type UsagePage = z.output<typeof usagePage>;
export type LearningUsage = UsagePage['data'][number];
export type UsageSummary = z.output<typeof usageSummary>;
export type FoundLearning = z.output<typeof searchResult>['data'][number];
export type PendingLearning = z.output<typeof pendingLearnings>['data'][number];
export type CreateResult = z.output<typeof createResult>;
export type DecisionResult = z.output<typeof decisionResult>;

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
