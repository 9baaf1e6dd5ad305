import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { firstSteps } from '../../../../src/capabilities/first-steps/schemas.ts';
import { api } from '../../lib/api.ts';

export type FirstSteps = z.output<typeof firstSteps>;

/** Polled until all steps are finished, so that the page updates itself. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => api<FirstSteps>('GET', 'first-steps'),
  refetchInterval: ({ state }) => (state.data?.is_finished ? false : 3_000),
});
