import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  createResult,
  decisionResult,
  learningPage,
  pendingLearnings,
  searchResult,
} from '../../../../src/capabilities/learnings/schemas.ts';
import type { organizationSettings } from '../../../../src/capabilities/organization-settings/schemas.ts';
import { api, type Scope } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';

export type LearningPage = z.output<typeof learningPage>;
export type Learning = LearningPage['data'][number];
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

/** The repositories of an organization to choose from; none for a workspace or without permission to see them. */
export function useRepositories(view: View) {
  const isAvailable = view.kind === 'organization' && view.may('organization_management:read');
  const { data } = useQuery({
    queryKey: ['settings', view.id],
    queryFn: () => api<z.output<typeof organizationSettings>>('GET', 'settings', { scope: view }),
    enabled: isAvailable,
  });
  return data?.repositories.map(({ repository_id, name }) => ({ value: repository_id, label: name })) ?? [];
}

/** The queries that a change to Learnings invalidates. */
export function learningKeys(view: View) {
  return [
    ['learnings', view.id],
    ['pending', view.id],
    ['found', view.id],
  ];
}
