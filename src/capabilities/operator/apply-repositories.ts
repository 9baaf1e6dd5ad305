import { compareBytes } from '../../lib/compare-bytes.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AppliedOrganization } from './apply-organizations.ts';
import { type ApplyRun, checkUnique } from './apply-run.ts';
import { mergeRow } from './merge-row.ts';

interface RepositoryRow {
  organization_id: OrganizationId;
  id: RepositoryId;
  provider_repository_id: string;
  name: string;
  active: boolean;
  private: boolean;
  approval_delay_days: number | null;
  readers_restricted: boolean;
  readers: string[];
}

async function findStoredRepositories({ tx }: ApplyRun, organizations: readonly AppliedOrganization[]) {
  const repositoryIds = organizations.flatMap(({ id, document }) =>
    (document.repositories ?? []).map((repository) => [id, repository.provider_repository_id] as const),
  );
  const rows = await tx<RepositoryRow[]>`
    SELECT r.organization_id, r.id, r.provider_repository_id, r.name, r.active, r.private, r.approval_delay_days, r.readers_restricted,
      ARRAY(SELECT provider_user_id FROM repository_readers x
            WHERE x.organization_id = r.organization_id AND x.repository_id = r.id ORDER BY provider_user_id COLLATE "C") AS readers
    FROM unnest(${repositoryIds.map(([id]) => id)}::uuid[], ${repositoryIds.map(([, id]) => id)}::text[]) AS n (organization_id, provider_repository_id)
    JOIN repositories r USING (organization_id, provider_repository_id)
    ORDER BY r.organization_id, r.id FOR UPDATE OF r`;
  return new Map(rows.map((row) => [`${row.organization_id}/${row.provider_repository_id}`, row]));
}

async function writeRepositories({ tx, now }: ApplyRun, rows: readonly RepositoryRow[]): Promise<void> {
  if (rows.length === 0) return;
  const json = tx.json(rows as never);
  await tx`
    INSERT INTO repositories (organization_id, id, provider_repository_id, name, active, private, approval_delay_days,
      readers_restricted, created_at)
    SELECT r.*, ${now} FROM jsonb_to_recordset(${json}) AS r (organization_id uuid, id uuid, provider_repository_id text, name text,
      active boolean, private boolean, approval_delay_days int, readers_restricted boolean)
    ON CONFLICT (organization_id, id) DO UPDATE SET name = excluded.name, active = excluded.active, private = excluded.private,
      approval_delay_days = excluded.approval_delay_days, readers_restricted = excluded.readers_restricted`;
  await tx`
    DELETE FROM repository_readers x USING jsonb_to_recordset(${json}) AS r (organization_id uuid, id uuid)
    WHERE x.organization_id = r.organization_id AND x.repository_id = r.id`;
  await tx`
    INSERT INTO repository_readers (organization_id, repository_id, provider_user_id)
    SELECT r.organization_id, r.id, reader FROM jsonb_to_recordset(${json}) AS r (organization_id uuid, id uuid, readers jsonb),
      jsonb_array_elements_text(r.readers) AS reader`;
}

/** Creates and updates the repositories in the document, with their readers. */
export async function applyRepositories(
  run: ApplyRun,
  organizations: readonly AppliedOrganization[],
): Promise<void> {
  const stored = await findStoredRepositories(run, organizations);
  const touched: RepositoryRow[] = [];
  for (const { id: organizationId, document, path } of organizations) {
    const documents = document.repositories ?? [];
    checkUnique(run, `${path}.repositories`, documents, (repository) => repository.provider_repository_id);
    for (const [index, { readers, ...fields }] of documents.entries()) {
      const before = stored.get(`${organizationId}/${fields.provider_repository_id}`);
      if (before === undefined && fields.name === undefined) {
        run.faults.push(`${path}.repositories[${index}].name: required for a new repository`);
      }
      const readerFields =
        readers === undefined
          ? {}
          : {
              readers_restricted: readers !== 'members',
              readers: readers === 'members' ? [] : [...new Set(readers)].sort(compareBytes),
            };
      const { row, outcome, changed } = mergeRow<RepositoryRow>(
        before,
        { ...fields, ...readerFields },
        {
          organization_id: organizationId,
          id: newUuid() as RepositoryId,
          provider_repository_id: fields.provider_repository_id,
          name: '',
          active: true,
          private: true,
          approval_delay_days: null,
          readers_restricted: false,
          readers: [],
        },
      );
      run.outcomes.repositories.push(outcome);
      if (outcome === 'unchanged') continue;
      touched.push(row);
      run.changes.push({
        organizationId,
        action: `repository.${outcome}`,
        resourceType: 'repository',
        resourceId: row.id,
        resourceSummary: row.name,
        metadata: { changed },
      });
    }
  }
  if (run.faults.length === 0) await writeRepositories(run, touched);
}
