import { compareBytes } from '../../lib/compare-bytes.ts';
import type { PersonId, WorkspaceId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { ensurePeople } from '../people/accounts/ensure-people.ts';
import { type ApplyRun, checkUnique } from './apply-run.ts';
import { mergeRow } from './merge-row.ts';
import type { WorkspaceDocument } from './platform-document.ts';

interface WorkspaceRow {
  id: WorkspaceId;
  slug: string;
  name: string;
  active: boolean;
  admins: string[];
}

async function findStoredWorkspaces(
  { tx }: ApplyRun,
  slugs: readonly string[],
): Promise<Map<string, WorkspaceRow>> {
  const rows = await tx<WorkspaceRow[]>`
    SELECT w.id, w.slug, w.name, w.active, ARRAY(
      SELECT p.email FROM workspace_admins a JOIN people p ON p.id = a.person_id
      WHERE a.workspace_id = w.id AND NOT a.by_group ORDER BY p.email COLLATE "C") AS admins
    FROM workspaces w WHERE w.slug = ANY(${[...slugs]}::text[])`;
  return new Map(rows.map((row) => [row.slug, row]));
}

async function replaceAdmins(
  { tx }: ApplyRun,
  rows: readonly WorkspaceRow[],
  people: ReadonlyMap<string, PersonId>,
): Promise<void> {
  await tx`
    DELETE FROM workspace_admins WHERE workspace_id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND NOT by_group`;
  const pairs = rows.flatMap(({ id, admins }) =>
    admins.map((email) => ({ workspace_id: id, person_id: people.get(email)! })),
  );
  // Whom the identity provider has deactivated stays out, whatever the document says.
  await tx`
    INSERT INTO workspace_admins (workspace_id, person_id)
    SELECT n.workspace_id, n.person_id
    FROM unnest(${pairs.map(({ workspace_id }) => workspace_id)}::uuid[], ${pairs.map(({ person_id }) => person_id)}::uuid[])
      AS n (workspace_id, person_id)
    WHERE NOT EXISTS (SELECT 1 FROM scim_users u
      WHERE u.workspace_id = n.workspace_id AND u.person_id = n.person_id AND NOT u.active)
    ON CONFLICT (workspace_id, person_id) DO UPDATE SET by_group = false`;
}

/** Creates and updates the workspaces in the document, with their admins. */
export async function applyWorkspaces(
  run: ApplyRun,
  allDocuments: readonly WorkspaceDocument[],
): Promise<void> {
  const documents = checkUnique(run, 'workspaces', allDocuments, ({ slug }) => slug);
  const stored = await findStoredWorkspaces(
    run,
    documents.map(({ slug }) => slug),
  );
  const merged = documents.map((document) => {
    const fields = {
      ...document,
      admins: document.admins && [...new Set(document.admins)].sort(compareBytes),
    };
    const defaults = {
      id: newUuid() as WorkspaceId,
      slug: document.slug,
      name: document.slug,
      active: true,
      admins: [],
    };
    return mergeRow<WorkspaceRow>(stored.get(document.slug), fields, defaults);
  });
  const touched = merged.filter(({ outcome }) => outcome !== 'unchanged');
  for (const { row, outcome, changed } of touched) {
    await run.tx`
      INSERT INTO workspaces (id, slug, name, active, created_at) VALUES (${row.id}, ${row.slug}, ${row.name}, ${row.active}, ${run.now})
      ON CONFLICT (slug) DO UPDATE SET name = excluded.name, active = excluded.active`;
    run.changes.push({
      workspaceId: row.id,
      action: outcome === 'created' ? 'workspace.created' : 'workspace.updated',
      resourceType: 'workspace',
      resourceId: row.id,
      resourceSummary: row.name,
      metadata: { changed },
    });
  }
  const people = await ensurePeople(
    run.tx,
    touched.flatMap(({ row }) => row.admins),
    run.now,
  );
  await replaceAdmins(
    run,
    touched.map(({ row }) => row),
    people,
  );
  run.outcomes.workspaces.push(...merged.map(({ outcome }) => outcome));
}
