import { z } from 'zod';
import type { Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { httpUrl, uuid } from '../../../lib/wire/wire.ts';
import { eventType, type ReceivedEvent } from '../../intake/event-type.ts';

const usedData = z.strictObject({
  learning_id: uuid,
  pr_url: httpUrl.nullish(),
});

type UsedData = z.output<typeof usedData>;

interface Uses {
  readonly organizationId: OrganizationId;
  readonly learningId: string;
  readonly count: number;
  readonly lastUsedAt: Date;
}

function countUses(events: readonly ReceivedEvent<UsedData>[]): Uses[] {
  const byLearning = Map.groupBy(
    events,
    ({ organization, data }) => `${organization.id}/${data.learning_id}`,
  );
  return [...byLearning.values()].map((own) => ({
    organizationId: own[0]!.organization.id,
    learningId: own[0]!.data.learning_id,
    count: own.length,
    lastUsedAt: new Date(Math.max(...own.map(({ time }) => time.getTime()))),
  }));
}

/** Adds uses to the Learnings that exist, and stores the others until their Learning is created. */
async function applyUses(tx: Tx, events: readonly ReceivedEvent<UsedData>[]) {
  const uses = countUses(events);
  await tx`
    WITH reported AS (
      SELECT * FROM unnest(${uses.map(({ organizationId }) => organizationId)}::uuid[],
        ${uses.map(({ learningId }) => learningId)}::uuid[], ${uses.map(({ count }) => count)}::bigint[],
        ${uses.map(({ lastUsedAt }) => lastUsedAt.toISOString())}::timestamptz[]) AS t (organization_id, learning_id, uses, last_used_at)
      ORDER BY organization_id, learning_id),
    counted AS (
      UPDATE learnings l SET usage_count = l.usage_count + t.uses, last_used_at = greatest(l.last_used_at, t.last_used_at)
      FROM reported t WHERE l.organization_id = t.organization_id AND l.id = t.learning_id
      RETURNING l.organization_id, l.id)
    INSERT INTO learning_uses_waiting AS w (organization_id, learning_id, uses, last_used_at)
    SELECT t.organization_id, t.learning_id, t.uses, t.last_used_at FROM reported t
    WHERE NOT EXISTS (SELECT 1 FROM counted c WHERE c.organization_id = t.organization_id AND c.id = t.learning_id)
    ON CONFLICT (organization_id, learning_id) DO UPDATE SET uses = w.uses + excluded.uses,
      last_used_at = greatest(w.last_used_at, excluded.last_used_at)`;
  return [];
}

/** `postil.learning_used`: a review used a Learning. */
export const learningUsed = eventType<UsedData>({
  type: 'postil.learning_used',
  data: usedData,
  isIdempotent: false,
  hasRepository: false,
  apply: applyUses,
});
