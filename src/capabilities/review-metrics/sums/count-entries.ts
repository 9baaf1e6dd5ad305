import type { Fragment, Tx } from '../../../db/database.ts';
import { entryClasses, slotsPerSpan } from '../order/day-spans.ts';
import { countColumns, countConditions } from './comment-counts.ts';

const counts = countColumns
  .map((name, index) => `count(*) FILTER (WHERE ${countConditions[index]}) AS ${name}`)
  .join(', ');

/**
 * A query that counts the comments in the entries themselves, by repository and day. It parses every entry that meets the
 * condition on `m`, which is far slower than reading sums.
 */
export function countedEntries(tx: Tx, storageIds: readonly number[], condition: Fragment) {
  return tx`
    SELECT m.organization_id, m.repository_id, m.slot_1 / ${tx.unsafe(String(slotsPerSpan))} AS day, ${tx.unsafe(counts)}
    FROM review_metrics m
    CROSS JOIN LATERAL json_to_recordset(m.entry::json->'coderabbit_comments') AS c (severity text, category text, accepted boolean)
    WHERE m.storage_id IN (${tx.unsafe(storageIds.join(', '))}) AND m.write_seq IS NOT NULL
      AND m.slot_1 % ${tx.unsafe(String(slotsPerSpan))} = ${tx.unsafe(String(entryClasses.mergedWithComments))}
      AND ${condition}
    GROUP BY m.organization_id, m.repository_id, m.slot_1`;
}
