import type { Host } from '../../src/capabilities/connections/hosts/host.ts';
import { organizationId, organizationName } from '../../src/cli/demo/company.ts';
import { recordedTables } from '../../src/cli/demo/recording.ts';
import type { TestApp } from '../harness.ts';
import type { Told } from './story-forge.ts';

/** Reads the data of the server and the host at the end of the stories. */
export async function readRecording({ database: { sql } }: TestApp, host: Host, told: readonly Told[]) {
  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${organizationId}`;
  const repositories = await sql`
    SELECT id, provider_repository_id AS "providerId" FROM repositories WHERE organization_id = ${row!.id}`;
  const tables: Record<string, unknown[]> = {};
  for (const name of recordedTables) {
    const rows = await sql`SELECT to_jsonb(t) AS row FROM ${sql(name)} t`;
    tables[name] = rows.map((one) => one.row);
  }
  const pulls = [];
  for (const { story, repository, made } of told)
    for (const { number } of made.pulls) {
      const ref = { id: String(repository.id), fullName: `${organizationName}/${story.name}` };
      pulls.push({
        repository: ref.id,
        pull: await host.readPullRequest(ref, number, []),
        approvals: await host.readApprovals(ref, number),
        threads: await host.readThreads(ref, number),
        conversation: await Array.fromAsync(host.listConversation(ref, number)),
      });
    }
  const audit = await sql`
    SELECT action, resource_type, resource_id, resource_summary, actor_type, actor_id, actor_name, metadata, created_at
    FROM audit_entries WHERE organization_id = ${row!.id} AND (action LIKE 'learning.%' OR action LIKE 'pull_request.%') ORDER BY position`;
  return {
    organization: row!.id,
    repositories: Object.fromEntries(repositories.map(({ id, providerId }) => [providerId, id])),
    tables,
    pulls,
    audit,
  };
}
