import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { checkResponseBytes } from '../../../lib/wire/json-page.ts';
import {
  findPage,
  findReadableRepositories,
  findRepositoriesById,
  type LearningFilters,
  type PageRow,
  type TimePosition,
} from './list-store.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface ListInput {
  readonly repositoryIds?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly repositoryName?: string | undefined;
  readonly search?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly statFilter: 'total' | 'active' | 'never_used' | 'created_this_week';
}

export interface LearningsPage {
  /** JSON text of each Learning. */
  readonly bodies: readonly string[];
  readonly next: LearningPosition | null;
}

/** Where a page ends. */
export interface LearningPosition extends TimePosition {
  readonly organizationId: OrganizationId;
  /** When the first page was requested; the usage filters of all pages refer to this time. */
  readonly asOf: string;
}

/** Monday 00:00 UTC of the week. */
export function startOfWeek(now: Date): Date {
  const day = Math.floor(now.getTime() / dayMs);
  const daysSinceMonday = (((day + 3) % 7) + 7) % 7; // day 0 was a Thursday
  return new Date((day - daysSinceMonday) * dayMs);
}

function usageFilters(statFilter: ListInput['statFilter'], asOf: Date): LearningFilters {
  switch (statFilter) {
    case 'active':
      return { usedSince: new Date(asOf.getTime() - 30 * dayMs) };
    case 'never_used':
      return { neverUsed: true };
    case 'created_this_week':
      return { createdSince: startOfWeek(asOf) };
    case 'total':
      return {};
  }
}

/** The repositories that the filters select; undefined when they do not filter by repository. */
async function selectRepositories(
  { database: { sql } }: { database: Database },
  { scope, principal }: CallerContext,
  { repositoryIds, repositoryName }: Pick<ListInput, 'repositoryIds' | 'repositoryName'>,
): Promise<RepositoryId[] | undefined> {
  const byId = repositoryIds && (await findRepositoriesById(sql, scope, repositoryIds));
  if (repositoryName === undefined) return byId;
  const userId = principal.owner?.userId ?? null;
  const named = await findReadableRepositories(sql, scope, repositoryName, userId);
  if (named.length === 0) throw new AppError('NOT_FOUND', 'There is no such repository');
  return byId === undefined ? named : named.filter((id) => byId.includes(id));
}

function positionOf({ organizationId, createdAt, id }: TimePosition & { organizationId: OrganizationId }) {
  return { organizationId, createdAt, id };
}

/** Where a page starts, and how much it may hold. */
export interface PageLimits {
  readonly after: LearningPosition | undefined;
  readonly limit: number;
  readonly maxBytes: number;
}

/**
 * Lists the shared and approved Learnings in scope: organization by organization, oldest first. A page that would be
 * larger than allowed is rejected before its rows are read.
 */
export async function listLearnings(
  deps: { database: Database },
  context: CallerContext,
  input: ListInput,
  { after: start, limit, maxBytes }: PageLimits,
): Promise<LearningsPage> {
  const asOf = start?.asOf ?? context.now.toISOString();
  const filters: LearningFilters = {
    repositories: await selectRepositories(deps, context, input),
    userIds: input.userIds,
    search: input.search,
    files: input.files,
    ...usageFilters(input.statFilter, new Date(asOf)),
  };
  const rows: (PageRow & { organizationId: OrganizationId })[] = [];
  let bytes = 0;
  for (const organizationId of organizationIdsOf(context.scope).sort()) {
    if (start !== undefined && organizationId < start.organizationId) continue;
    if (rows.length > limit) break;
    const page = await findPage(deps.database.sql, context.scope, organizationId, filters, {
      now: context.now,
      after: organizationId === start?.organizationId ? start : undefined,
      limit: limit - rows.length,
      maxBytes: maxBytes - bytes,
    });
    bytes += page.bytes;
    if (bytes > maxBytes) checkResponseBytes(bytes);
    rows.push(...page.rows.map((row) => ({ ...row, organizationId })));
  }
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1)! : undefined;
  return {
    bodies: shown.map(({ body }) => body!),
    next: last === undefined ? null : { ...positionOf(last), asOf },
  };
}
