import type { CsvColumn } from '../../../lib/wire/csv.ts';
import type { InventoryRow } from '../security-finding-store.ts';

/** The scalar fields of an entry in the order of the API, then the nested ones of the JSON form. */
export const csvColumns: readonly CsvColumn<InventoryRow>[] = [
  { name: 'id', cell: (row) => row.id },
  { name: 'organization_id', cell: (row) => row.providerOrganizationId },
  { name: 'organization_name', cell: (row) => row.organizationName },
  { name: 'repository_id', cell: (row) => row.providerRepositoryId },
  { name: 'repository_name', cell: (row) => row.repositoryName },
  { name: 'rule_id', cell: (row) => row.ruleId },
  { name: 'title', cell: (row) => row.title },
  { name: 'description', cell: (row) => row.description },
  { name: 'severity', cell: (row) => row.severity },
  { name: 'state', cell: (row) => row.state },
  { name: 'cwe', cell: (row) => row.cwe.join(',') },
  { name: 'file_path', cell: (row) => row.filePath },
  { name: 'start_line', cell: (row) => row.startLine },
  { name: 'end_line', cell: (row) => row.endLine },
  { name: 'first_detected_at', cell: (row) => new Date(row.firstDetectedAt) },
  { name: 'last_seen_at', cell: (row) => new Date(row.lastSeenAt) },
  { name: 'fixed_at', cell: (row) => (row.fixedAt === null ? null : new Date(row.fixedAt)) },
  { name: 'scan_provenance_scan_id', cell: (row) => row.scanId },
  { name: 'scan_provenance_coverage_scope', cell: (row) => row.coverageScope },
  { name: 'scan_provenance_repository_id', cell: (row) => row.providerRepositoryId },
  { name: 'scan_provenance_revision', cell: (row) => row.revision },
  { name: 'scan_provenance_evidence_status', cell: (row) => row.evidenceStatus },
  { name: 'reachability_call_stacks', cell: (row) => JSON.stringify(row.reachability?.callStacks ?? []) },
  { name: 'reachability_explanation', cell: (row) => row.reachability?.explanation ?? null },
];
