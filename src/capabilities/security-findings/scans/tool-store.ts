import type { Db, Tx } from '../../../db/database.ts';
import type { RuleFacts } from '../../../lib/sarif/sarif-rule-facts.ts';
import type { ToolFacts } from '../../../lib/sarif/tool-facts.ts';
import type { PlacedScan } from './scan-store.ts';

const LENGTH_PER_STATEMENT = 4 * 1024 * 1024;

/** How a tool describes itself and its rules. */
export interface ToolDescription {
  readonly facts: ToolFacts | null;
  readonly rules: ReadonlyMap<string, RuleFacts>;
}

/** Stores how the newest scan of a tool describes the tool and the rules of its findings. */
export async function storeToolFacts(
  tx: Tx,
  scan: PlacedScan,
  facts: ToolFacts,
  rules: ReadonlyMap<string, RuleFacts>,
): Promise<void> {
  await tx`
    INSERT INTO security_tools AS known (organization_id, repository_id, tool, scanned_at, driver)
    VALUES (${scan.organizationId}, ${scan.repositoryId}, ${scan.tool}, ${scan.scannedAt}, ${JSON.stringify(facts)}::text::json)
    ON CONFLICT (organization_id, repository_id, tool) DO UPDATE SET
      scanned_at = excluded.scanned_at, driver = excluded.driver
    WHERE known.scanned_at <= excluded.scanned_at`;
  let rows: string[] = [];
  let length = 0;
  for (const [ruleId, descriptor] of rules) {
    const row = JSON.stringify({ ruleId, descriptor });
    if (rows.length > 0 && length + row.length > LENGTH_PER_STATEMENT) {
      await upsertRules(tx, scan, rows);
      rows = [];
      length = 0;
    }
    rows.push(row);
    length += row.length;
  }
  if (rows.length > 0) await upsertRules(tx, scan, rows);
}

async function upsertRules(tx: Tx, scan: PlacedScan, rows: readonly string[]): Promise<void> {
  await tx`
    INSERT INTO security_rules AS known (organization_id, repository_id, tool, rule_id, scanned_at, descriptor)
    SELECT ${scan.organizationId}, ${scan.repositoryId}, ${scan.tool}, r."ruleId", ${scan.scannedAt}, r.descriptor
    FROM json_to_recordset(${`[${rows.join(',')}]`}::text::json) AS r ("ruleId" text, descriptor json)
    ON CONFLICT (organization_id, repository_id, tool, rule_id) DO UPDATE SET
      scanned_at = excluded.scanned_at, descriptor = excluded.descriptor
    WHERE known.scanned_at < excluded.scanned_at
      OR (known.scanned_at = excluded.scanned_at AND known.descriptor::text <> excluded.descriptor::text)`;
}

/** Finds how a tool described itself and its rules in a repository; nothing is known for native findings. */
export async function findToolDescription(
  db: Db,
  { organizationId, repositoryId, tool }: { organizationId: string; repositoryId: string; tool: string },
): Promise<ToolDescription> {
  const [described] = await db<{ driver: ToolFacts }[]>`
    SELECT driver FROM security_tools
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND tool = ${tool}`;
  const rules = await db<{ ruleId: string; descriptor: RuleFacts }[]>`
    SELECT rule_id AS "ruleId", descriptor FROM security_rules
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND tool = ${tool}`;
  return {
    facts: described?.driver ?? null,
    rules: new Map(rules.map(({ ruleId, descriptor }) => [ruleId, descriptor])),
  };
}
