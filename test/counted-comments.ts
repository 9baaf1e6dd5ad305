import type { Db } from '../src/db/database.ts';

interface Comment {
  readonly severity: string | null;
  readonly category: string | null;
  readonly accepted: boolean | null;
}

export interface CountedWindow {
  readonly start: string;
  readonly end: string;
  /** Provider ids; all repositories if left out. */
  readonly repositories?: readonly string[];
}

interface Outcomes {
  posted: number;
  accepted: number;
  not_accepted: number;
  unknown: number;
}

function counter<Name extends string | null>() {
  const counts = new Map<Name, Outcomes>();
  return {
    add(name: Name, { accepted }: Comment) {
      const known = counts.get(name) ?? { posted: 0, accepted: 0, not_accepted: 0, unknown: 0 };
      known.posted += 1;
      known[accepted === null ? 'unknown' : accepted ? 'accepted' : 'not_accepted'] += 1;
      counts.set(name, known);
    },
    rows: () =>
      [...counts]
        .map(([name, outcomes]) => ({ name, ...outcomes }))
        .sort((one, other) => other.posted - one.posted || ((one.name ?? '') < (other.name ?? '') ? -1 : 1)),
  };
}

/** Computes the overview of some organizations by counting all their entries, comment by comment. */
export async function countComments(
  sql: Db,
  orgIds: readonly string[],
  { start, end, repositories }: CountedWindow,
) {
  const rows = await sql<{ entry: string; repository: string; provider_repository_id: string }[]>`
    SELECT m.entry, o.name || ' / ' || r.name AS repository, r.provider_repository_id FROM review_metrics m
    JOIN organizations o ON o.id = m.organization_id
    JOIN repositories r ON r.organization_id = m.organization_id AND r.id = m.repository_id
    WHERE o.provider_organization_id = ANY(${[...orgIds]}) AND m.write_seq IS NOT NULL AND m.entry IS NOT NULL`;
  const [all, days, severities, categories, names] = Array.from({ length: 5 }, () =>
    counter<string | null>(),
  ) as [Counter, Counter, Counter, Counter, Counter];
  for (const { entry, repository, provider_repository_id } of rows) {
    const { merged_at, coderabbit_comments } = JSON.parse(entry) as {
      merged_at: string | null;
      coderabbit_comments: Comment[];
    };
    const day = merged_at?.slice(0, 10);
    if (day === undefined || day < start || day > end) continue;
    if (repositories !== undefined && !repositories.includes(provider_repository_id)) continue;
    for (const comment of coderabbit_comments) {
      all.add('all', comment);
      days.add(day, comment);
      severities.add(comment.severity, comment);
      categories.add(comment.category, comment);
      names.add(repository, comment);
    }
  }
  const { name: _, ...total } = all.rows()[0] ?? {
    name: 'all',
    posted: 0,
    accepted: 0,
    not_accepted: 0,
    unknown: 0,
  };
  return {
    total,
    days: days
      .rows()
      .map(({ name, ...outcomes }) => ({ date: name!, ...outcomes }))
      .sort((one, other) => (one.date < other.date ? -1 : 1)),
    severities: severities.rows(),
    categories: categories.rows(),
    repositories: names.rows(),
  };
}

type Counter = ReturnType<typeof counter<string | null>>;
