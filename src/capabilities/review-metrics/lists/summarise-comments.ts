import type { CallerContext } from '../../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { concurrencyLimit } from '../../../lib/concurrency/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';
import { dateOfDay, dayOfDate } from '../order/day-spans.ts';
import { findReadableStorages } from '../storage/readable-storages.ts';
import { type CountedOutcomes, outcomesOf } from '../sums/comment-counts.ts';
import { areSumsComplete, countSums, readSums, type Sums, type SumsRequest } from '../sums/read-sums.ts';

/** Comments by outcome: accepted, not accepted (which does not prove rejection), or unknown. */
export interface Outcomes extends CountedOutcomes {
  readonly unknown: number;
}

interface Window {
  readonly start_date: string;
  readonly end_date: string;
  readonly repository_ids?: readonly string[] | undefined;
}

export interface SummaryDeps {
  readonly database: Database;
  /** Limits how many windows are counted at once: that keeps a connection and a CPU busy for seconds. */
  readonly limitCounting: ReturnType<typeof concurrencyLimit>;
}

const maxConcurrentCounts = 2;

export function createSummaryDeps(database: Database): SummaryDeps {
  return { database, limitCounting: concurrencyLimit(maxConcurrentCounts) };
}

interface NamedSums {
  readonly sums: Sums;
  readonly names: ReadonlyMap<RepositoryId, string>;
}

async function findRepositories(tx: Tx, scope: OrgScope, providerIds: readonly string[]) {
  const rows = await tx<{ id: RepositoryId }[]>`
    SELECT id FROM repositories
    WHERE organization_id = ANY(${arrayLiteral(organizationIdsOf(scope))}::uuid[])
      AND provider_repository_id = ANY(${arrayLiteral(providerIds)}::text[])`;
  return rows.map(({ id }) => id);
}

async function withNames(tx: Tx, sums: Sums): Promise<NamedSums> {
  const idsOf = (key: 'organization_id' | 'repository_id') =>
    arrayLiteral(sums.repositories.map((repository) => repository[key]));
  const rows = await tx<{ organization_id: OrganizationId; id: RepositoryId; name: string }[]>`
    SELECT r.id, o.name || ' / ' || r.name AS name
    FROM unnest(${idsOf('organization_id')}::uuid[], ${idsOf('repository_id')}::uuid[]) AS k (organization_id, repository_id)
    JOIN repositories r ON r.organization_id = k.organization_id AND r.id = k.repository_id
    JOIN organizations o ON o.id = k.organization_id`;
  return { sums, names: new Map(rows.map(({ id, name }) => [id, name])) };
}

function withUnknown({ posted, accepted, not_accepted }: CountedOutcomes): Outcomes {
  return { posted, accepted, not_accepted, unknown: posted - accepted - not_accepted };
}

type NamedOutcomes<Name> = Outcomes & { readonly name: Name };

function byCount(one: NamedOutcomes<string | null>, other: NamedOutcomes<string | null>): number {
  return other.posted - one.posted || ((one.name ?? '') < (other.name ?? '') ? -1 : 1);
}

/** The outcomes by each value of a vocabulary, and by none of them: what the values lack of the total. */
function byValue<Value extends (typeof severities)[number] | (typeof categories)[number]>(
  all: Sums['all'],
  values: readonly Value[],
): NamedOutcomes<Value | null>[] {
  const named = values.map((name) => ({ name, ...withUnknown(outcomesOf(all, name)) }));
  const rest = (key: keyof CountedOutcomes) =>
    named.reduce((left, outcomes) => left - outcomes[key], outcomesOf(all, 'all')[key]);
  const none = withUnknown({
    posted: rest('posted'),
    accepted: rest('accepted'),
    not_accepted: rest('not_accepted'),
  });
  return [...named, { name: null, ...none }].filter(({ posted }) => posted > 0).toSorted(byCount);
}

/** Repositories of the same name are one. */
function byName({ sums, names }: NamedSums): NamedOutcomes<string>[] {
  const found = new Map<string, CountedOutcomes>();
  for (const { repository_id, posted, accepted, not_accepted } of sums.repositories) {
    const name = names.get(repository_id);
    if (name === undefined) continue;
    const sum = found.get(name) ?? { posted: 0, accepted: 0, not_accepted: 0 };
    found.set(name, {
      posted: sum.posted + posted,
      accepted: sum.accepted + accepted,
      not_accepted: sum.not_accepted + not_accepted,
    });
  }
  return [...found].map(([name, sum]) => ({ name, ...withUnknown(sum) })).toSorted(byCount);
}

/** Sums up the comments on pull requests merged in the window: by day, severity, category and repository. */
export async function summariseComments(
  { database, limitCounting }: SummaryDeps,
  { scope }: CallerContext,
  { start_date, end_date, repository_ids }: Window,
) {
  /** Reads at one moment; undefined if the sums were asked for and are not complete. */
  const read = (readFrom: 'sums' | 'entries') =>
    database.transaction(
      async (tx) => {
        const organizations = await findReadableStorages(tx, scope);
        if (readFrom === 'sums' && !(await areSumsComplete(tx, organizations))) return undefined;
        const request: SumsRequest = {
          organizations,
          repositoryIds:
            repository_ids === undefined ? null : await findRepositories(tx, scope, repository_ids),
          firstDay: dayOfDate(start_date),
          lastDay: dayOfDate(end_date),
        };
        const sums = readFrom === 'sums' ? readSums(database, tx, request) : countSums(tx, request);
        return withNames(tx, await sums);
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  const named = (await read('sums')) ?? (await limitCounting(() => read('entries')))!;
  const { days, all } = named.sums;
  return {
    total: withUnknown(outcomesOf(all, 'all')),
    days: days
      .toSorted((one, other) => one.day - other.day)
      .map(({ day, ...outcomes }) => ({ date: dateOfDay(day), ...withUnknown(outcomes) })),
    severities: byValue(all, severities),
    categories: byValue(all, categories),
    repositories: byName(named),
  };
}
