import type { InstanceId, OrganizationId, Provider, WorkspaceId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type ApplyRun, checkUnique } from './apply-run.ts';
import { type Merged, mergeRow } from './merge-row.ts';
import type { OrganizationDocument } from './platform-document.ts';

interface OrganizationRow {
  id: OrganizationId;
  provider: Provider;
  provider_organization_id: string;
  instance_id: InstanceId | null;
  workspace_id: WorkspaceId | null;
  name: string;
  active: boolean;
  plan: 'free' | 'pro' | 'enterprise';
  subscription: 'active' | 'none';
  seats_purchased: number;
  seat_assignment_mode: 'automatic' | 'manual';
  metrics: 'available' | 'unavailable';
  metrics_isolated: boolean;
  approval_delay_days: number;
}

/** An organization in the document, with the id it was stored under. */
export interface AppliedOrganization {
  readonly id: OrganizationId;
  readonly workspaceId: WorkspaceId | null;
  readonly document: OrganizationDocument;
  readonly path: string;
}

/** The instances and workspaces that the document refers to, by slug. */
type Slugs = {
  readonly instances: ReadonlyMap<string, { id: InstanceId; provider: Provider }>;
  readonly workspaces: ReadonlyMap<string, WorkspaceId>;
};

async function resolveSlugs({ tx }: ApplyRun, documents: readonly OrganizationDocument[]): Promise<Slugs> {
  const slugsIn = (field: 'instance' | 'workspace') => [
    ...new Set(documents.flatMap((document) => document[field] ?? [])),
  ];
  const instances = await tx<{ slug: string; id: InstanceId; provider: Provider }[]>`
    SELECT slug, id, provider FROM instances WHERE slug = ANY(${slugsIn('instance')}::text[])`;
  const workspaces = await tx<{ slug: string; id: WorkspaceId }[]>`
    SELECT slug, id FROM workspaces WHERE slug = ANY(${slugsIn('workspace')}::text[])`;
  return {
    instances: new Map(instances.map((row) => [row.slug, row])),
    workspaces: new Map(workspaces.map((row) => [row.slug, row.id])),
  };
}

function identityOf(instanceId: string | null, provider: string, providerOrgId: string): string {
  return JSON.stringify([instanceId, provider, providerOrgId]);
}

async function findStoredOrganizations({ tx }: ApplyRun, documents: readonly OrganizationDocument[]) {
  const rows = await tx<OrganizationRow[]>`
    SELECT id, provider, provider_organization_id, instance_id, workspace_id, name, active, plan, subscription, seats_purchased,
      seat_assignment_mode, metrics, metrics_isolated, approval_delay_days
    FROM organizations WHERE provider_organization_id = ANY(${documents.map((document) => document.provider_organization_id)}::text[])
    ORDER BY id FOR NO KEY UPDATE`;
  return new Map(
    rows.map((row) => [identityOf(row.instance_id, row.provider, row.provider_organization_id), row]),
  );
}

function checkReferences(run: ApplyRun, document: OrganizationDocument, slugs: Slugs, path: string): void {
  const instance = document.instance == null ? undefined : slugs.instances.get(document.instance);
  if (document.instance != null && instance === undefined)
    run.faults.push(`${path}.instance: there is no instance ${document.instance}`);
  if (instance !== undefined && instance.provider !== document.provider) {
    run.faults.push(
      `${path}.provider: the instance ${document.instance} belongs to provider ${instance.provider}`,
    );
  }
  if (document.workspace != null && !slugs.workspaces.has(document.workspace)) {
    run.faults.push(`${path}.workspace: there is no workspace ${document.workspace}`);
  }
}

function checkMerged(
  run: ApplyRun,
  { row, outcome }: Merged<OrganizationRow>,
  document: OrganizationDocument,
  path: string,
): void {
  if (outcome === 'created' && document.name === undefined)
    run.faults.push(`${path}.name: required for a new organization`);
  if (row.workspace_id === null) return;
  if (row.plan !== 'enterprise')
    run.faults.push(`${path}.plan: every organization of a workspace must be on the enterprise plan`);
  if (row.subscription !== 'active') {
    run.faults.push(
      `${path}.subscription: every organization of a workspace must have an active subscription`,
    );
  }
}

function mergeOrganization(
  document: OrganizationDocument,
  stored: OrganizationRow | undefined,
  slugs: Slugs,
): Merged<OrganizationRow> {
  const { instance, workspace, repositories: _repositories, members: _members, ...fields } = document;
  const instanceId = instance == null ? null : (slugs.instances.get(instance)?.id ?? null);
  const workspaceId = workspace == null ? workspace : (slugs.workspaces.get(workspace) ?? null);
  return mergeRow<OrganizationRow>(
    stored,
    { ...fields, workspace_id: workspaceId },
    {
      id: newUuid() as OrganizationId,
      provider: document.provider,
      provider_organization_id: document.provider_organization_id,
      instance_id: instanceId,
      workspace_id: null,
      name: '',
      active: true,
      plan: 'free',
      subscription: 'none',
      seats_purchased: 0,
      seat_assignment_mode: 'manual',
      metrics: 'available',
      metrics_isolated: false,
      approval_delay_days: 0,
    },
  );
}

async function writeOrganizations({ tx, now }: ApplyRun, rows: readonly OrganizationRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    INSERT INTO organizations (id, provider, provider_organization_id, instance_id, workspace_id, name, active, plan, subscription,
      seats_purchased, seat_assignment_mode, metrics, metrics_isolated, approval_delay_days, created_at)
    SELECT r.*, ${now} FROM jsonb_to_recordset(${tx.json(rows as never)}) AS r (
      id uuid, provider text, provider_organization_id text, instance_id uuid, workspace_id uuid, name text, active boolean, plan text,
      subscription text, seats_purchased int, seat_assignment_mode text, metrics text, metrics_isolated boolean, approval_delay_days int)
    ON CONFLICT (id) DO UPDATE SET workspace_id = excluded.workspace_id, name = excluded.name, active = excluded.active,
      plan = excluded.plan, subscription = excluded.subscription, seats_purchased = excluded.seats_purchased,
      seat_assignment_mode = excluded.seat_assignment_mode, metrics = excluded.metrics,
      metrics_isolated = excluded.metrics_isolated, approval_delay_days = excluded.approval_delay_days`;
}

/** Creates and updates the organizations in the document, and returns them with their ids. */
export async function applyOrganizations(
  run: ApplyRun,
  documents: readonly OrganizationDocument[],
): Promise<AppliedOrganization[]> {
  checkUnique(run, 'organizations', documents, ({ instance, provider, provider_organization_id: id }) =>
    identityOf(instance ?? null, provider, id),
  );
  const slugs = await resolveSlugs(run, documents);
  const stored = await findStoredOrganizations(run, documents);
  const merged = documents.map((document, index) => {
    const path = `organizations[${index}]`;
    checkReferences(run, document, slugs, path);
    const instanceId =
      document.instance == null ? null : (slugs.instances.get(document.instance)?.id ?? null);
    const found = stored.get(identityOf(instanceId, document.provider, document.provider_organization_id));
    const result = mergeOrganization(document, found, slugs);
    checkMerged(run, result, document, path);
    return { ...result, document, path };
  });
  if (run.faults.length === 0)
    await writeOrganizations(
      run,
      merged.filter(({ outcome }) => outcome !== 'unchanged').map(({ row }) => row),
    );
  for (const { row, outcome, changed } of merged) {
    run.outcomes.organizations.push(outcome);
    if (outcome === 'unchanged') continue;
    run.changes.push({
      organizationId: row.id,
      action: `organization.${outcome}`,
      resourceType: 'organization',
      resourceId: row.id,
      resourceSummary: row.name,
      metadata: { changed },
    });
  }
  return merged.map(({ row, document, path }) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    document,
    path,
  }));
}
