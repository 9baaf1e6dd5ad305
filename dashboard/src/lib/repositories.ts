import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { organizationSettings } from '../../../src/capabilities/organization-settings/schemas.ts';
import { api } from './api.ts';
import type { View } from './session.ts';

/** The repositories of an organization to choose from; none for a workspace or without permission to see them. */
export function useRepositories(view: View) {
  const isAvailable = view.kind === 'organization' && view.may('organization_management:read');
  const { data } = useQuery({
    // Its own key: the settings page reads the same endpoint page by page.
    queryKey: ['repositories', view.id],
    queryFn: () => api<z.output<typeof organizationSettings>>('GET', 'settings', { scope: view }),
    enabled: isAvailable,
  });
  return data?.repositories.map(({ repository_id, name }) => ({ value: repository_id, label: name })) ?? [];
}
