import type { Actor } from '../../access/actor.ts';
import { type AuditChange, recordChanges } from '../../capabilities/audit-log/record-changes.ts';
import { refreshStates } from '../../capabilities/reviews/attention/rule-store.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { type RecordedChange, type Row, recordedTables, type Tables } from './recording.ts';

/** The number of rows per INSERT. */
const batchSize = 2_000;

async function insertRows(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  // Columns that are not in the recording, because they are newer, keep their default.
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const withAll = rows.map((row) => ({ ...Object.fromEntries(columns.map((name) => [name, null])), ...row }));
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = JSON.stringify(withAll.slice(start, start + batchSize));
    await tx`
      INSERT INTO ${tx(table)} (${tx(columns)})
      SELECT ${tx(columns)} FROM jsonb_populate_recordset(NULL::${tx(table)}, ${batch}::text::jsonb)
      ON CONFLICT DO NOTHING`;
  }
}

function actorOf({ actor_type, actor_id, actor_name }: RecordedChange): Actor {
  const type = actor_type as Actor['type'];
  return { type, id: actor_id, name: actor_name, subtitle: null, isBot: type === 'system' };
}

/** Inserts rows of the demo's organization, and the changes that people made there, in one transaction. */
export async function loadRows(
  database: Database,
  organizationId: OrganizationId,
  tables: readonly Tables[],
  changes: readonly RecordedChange[],
  quietSince: ReadonlyMap<string, Date>,
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const name of recordedTables)
      for (const table of tables) await insertRows(tx, name, table[name] ?? []);
    for (const [rule, since] of quietSince) await refreshStates(tx, organizationId, since, [rule]);
    for (const change of changes)
      await recordChanges(tx, { actor: actorOf(change), now: new Date(change.created_at) }, [
        {
          organizationId,
          action: change.action,
          resourceType: change.resource_type,
          resourceId: change.resource_id,
          resourceSummary: change.resource_summary,
          metadata: change.metadata,
        } as AuditChange,
      ]);
  });
}
