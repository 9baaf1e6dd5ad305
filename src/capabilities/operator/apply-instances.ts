import type { InstanceId, Provider } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type ApplyRun, checkUnique } from './apply-run.ts';
import { mergeRow } from './merge-row.ts';
import type { InstanceDocument } from './platform-document.ts';

interface InstanceRow {
  id: InstanceId;
  slug: string;
  provider: Provider;
  url: string;
}

function checkFields(
  run: ApplyRun,
  document: InstanceDocument,
  stored: InstanceRow | undefined,
  path: string,
): void {
  if (stored === undefined) {
    if (document.provider === undefined) run.faults.push(`${path}.provider: required for a new instance`);
    if (document.url === undefined) run.faults.push(`${path}.url: required for a new instance`);
  } else if (document.provider !== undefined && document.provider !== stored.provider) {
    run.faults.push(`${path}.provider: the provider of an instance cannot change`);
  }
}

/** Creates and updates the self-hosted instances in the document. */
export async function applyInstances(run: ApplyRun, documents: readonly InstanceDocument[]): Promise<void> {
  checkUnique(run, 'instances', documents, ({ slug }) => slug);
  const rows = await run.tx<InstanceRow[]>`
    SELECT id, slug, provider, url FROM instances WHERE slug = ANY(${documents.map(({ slug }) => slug)}::text[])`;
  const stored = new Map(rows.map((row) => [row.slug, row]));
  for (const [index, document] of documents.entries()) {
    checkFields(run, document, stored.get(document.slug), `instances[${index}]`);
    const defaults = {
      id: newUuid() as InstanceId,
      slug: document.slug,
      provider: 'github' as const,
      url: '',
    };
    const { row, outcome, changed } = mergeRow<InstanceRow>(stored.get(document.slug), document, defaults);
    run.outcomes.instances.push(outcome);
    if (outcome === 'unchanged') continue;
    await run.tx`
      INSERT INTO instances (id, slug, provider, url, created_at) VALUES (${row.id}, ${row.slug}, ${row.provider}, ${row.url}, ${run.now})
      ON CONFLICT (slug) DO UPDATE SET url = excluded.url`;
    run.changes.push({
      action: `instance.${outcome}`,
      resourceType: 'instance',
      resourceId: row.id,
      resourceSummary: row.slug,
      metadata: { changed },
    });
  }
}
