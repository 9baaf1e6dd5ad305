import type { z } from 'zod';
import type { insightQuery } from './schemas.ts';
import type { InsightFilter } from './window/insight-filter.ts';

/** The filter that a request describes. */
export const filterOf = (query: z.output<typeof insightQuery>): InsightFilter => ({
  startDate: query.start_date,
  endDate: query.end_date,
  repositoryIds: query.repository_ids,
  authorIds: query.author_ids,
  teamIds: query.team_ids,
  source: query.source,
  severity: query.severity,
  category: query.category,
  outcome: query.outcome,
});
