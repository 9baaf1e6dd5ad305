import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { chosenNames } from '../../../../../src/capabilities/insights/schemas.ts';
import { api } from '../../../lib/api.ts';
import { humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { useView } from '../../../lib/session.ts';
import { sourceName } from '../measures/source-name.ts';
import { noTeam, unspecified } from '../measures/vocabulary.ts';
import type { FilterName } from './insight-filters.ts';

type Names = z.output<typeof chosenNames>;

const listOf = { repository: 'repositories', author: 'authors', team: 'teams' } as const;

/**
 * Returns a function that gives the value of a filter in the URL in words; ids of repositories, authors and teams are looked up.
 */
export function useChosenNames(): (name: FilterName) => string {
  const view = useView();
  const [search] = useFilters();
  const { repository, author, team } = search;
  const chosen = { repository_ids: repository, author_ids: author, team_ids: team };
  const { data } = useQuery({
    queryKey: ['insight-names', view.id, chosen],
    queryFn: () => api<Names>('GET', 'insights/names', { scope: view, query: chosen }),
    enabled: [repository, author, team].some((ids) => ids !== undefined),
  });
  return (name) => {
    const value = search[name] ?? '';
    if (name === 'source') return sourceName(value);
    if (name !== 'repository' && name !== 'author' && name !== 'team')
      return value === unspecified.value ? unspecified.label : humanize(value);
    const known = { ...data?.[listOf[name]], ...(name === 'team' && { [noTeam.value]: noTeam.label }) };
    return value
      .split(',')
      .map((id) => known[id] ?? id)
      .join(', ');
  };
}
