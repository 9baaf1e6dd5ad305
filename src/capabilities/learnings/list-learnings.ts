import { organizationIdsOf } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import type { KeyContext } from '../../http/endpoint.ts';
import { checkResponseBytes, jsonPageBytes, maxResponseBytes } from '../../http/json-page.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
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
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface LearningsPage {
  /** JSON text of each Learning. */
  readonly bodies: readonly string[];
  readonly nextCursor: string | null;
}

interface Position extends TimePosition {
  readonly organizationId: OrganizationId;
  /** The moment the first page was asked for, which the usage states of all its pages refer to. */
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

/** The repositories that the filters name; undefined when they name none. */
async function chosenRepositories(
  { database: { sql } }: { database: Database },
  { scope, principal }: KeyContext,
  { repositoryIds, repositoryName }: Pick<ListInput, 'repositoryIds' | 'repositoryName'>,
): Promise<RepositoryId[] | undefined> {
  const byId = repositoryIds && (await findRepositoriesById(sql, scope, repositoryIds));
  if (repositoryName === undefined) return byId;
  const userId = principal.owner?.userId ?? null;
  const named = await findReadableRepositories(sql, scope, repositoryName, userId);
  if (named.length === 0) throw new AppError('NOT_FOUND', 'There is no such repository');
  return byId === undefined ? named : named.filter((id) => byId.includes(id));
}

/**
 * Lists the shared and approved Learnings in scope: organization by organization, oldest first. A page that would be
 * larger than allowed is refused before its rows are read.
 */
export async function listLearnings(
  deps: { database: Database },
  context: KeyContext,
  { limit, cursor, ...asked }: ListInput,
  { isSentAsJson }: { readonly isSentAsJson: boolean },
): Promise<LearningsPage> {
  const maxBytes = isSentAsJson ? maxResponseBytes : Number.MAX_SAFE_INTEGER;
  const start = cursor === undefined ? undefined : context.cursors.read<Position>(asked, cursor);
  const asOf = start?.asOf ?? context.now.toISOString();
  const filters: LearningFilters = {
    repositories: await chosenRepositories(deps, context, asked),
    userIds: asked.userIds,
    search: asked.search,
    files: asked.files,
    ...usageFilters(asked.statFilter, new Date(asOf)),
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
  const nextCursor =
    last === undefined
      ? null
      : context.cursors.issue(asked, {
          organizationId: last.organizationId,
          createdAt: last.createdAt,
          id: last.id,
          asOf,
        } satisfies Position);
  if (isSentAsJson) checkResponseBytes(jsonPageBytes(shown.length, bytes, nextCursor));
  return { bodies: shown.map(({ body }) => body!), nextCursor };
}
