import type { OrgScope } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type DescribeTool, writeSarif } from '../../../lib/sarif/write/write-sarif.ts';
import { csvHeader, csvRows } from '../../../lib/wire/csv.ts';
import { maxResponseBytes } from '../../../lib/wire/json-page.ts';
import { findToolDescription } from '../scans/tool-store.ts';
import {
  type FindingFilters,
  type InventoryRow,
  measureInventory,
  readInventory,
} from '../security-finding-store.ts';
import { csvColumns } from './csv-columns.ts';

export const MAX_RECORDS = 50_000;
/** The minimum size of a record besides its texts: ids, dates and field names. */
const MIN_BYTES_PER_RECORD = { csv: 120, sarif: 400 };

/**
 * Exports all findings that match the filters as CSV or SARIF: at most 50,000 records and 16 MiB, otherwise
 * RESPONSE_TOO_LARGE. Nothing is returned until the whole export is known to fit, so that a connection is held while the
 * database is read, and not while somebody downloads slowly.
 */
export async function exportFindings(
  { database }: { database: Database },
  scope: OrgScope,
  format: 'csv' | 'sarif',
  filters: FindingFilters,
): Promise<Buffer[]> {
  return database.transaction(
    async (tx) => {
      const { count, textBytes } = await measureInventory(tx, scope, filters, MAX_RECORDS + 1);
      if (count > MAX_RECORDS) throw tooLarge(`more than ${MAX_RECORDS} records`);
      if (textBytes + count * MIN_BYTES_PER_RECORD[format] > maxResponseBytes) throw tooManyBytes();
      const rows = readInventory(tx, scope, filters);
      const describeTool: DescribeTool = (row) => findToolDescription(tx, row);
      return collectWithinLimit(
        format === 'csv' ? writeCsv(rows) : writeSarif(flattenRows(rows), describeTool),
      );
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

async function* writeCsv(parts: AsyncIterable<InventoryRow[]>): AsyncGenerator<Buffer> {
  yield csvHeader(csvColumns);
  for await (const rows of parts) yield csvRows(csvColumns, rows);
}

async function* flattenRows(parts: AsyncIterable<InventoryRow[]>): AsyncGenerator<InventoryRow> {
  for await (const rows of parts) yield* rows;
}

/** Buffers the whole export, so that one that does not fit is rejected instead of truncated. */
async function collectWithinLimit(parts: AsyncIterable<Buffer | string>): Promise<Buffer[]> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    const buffer = Buffer.from(part as string);
    bytes += buffer.length;
    if (bytes > maxResponseBytes) throw tooManyBytes();
    collected.push(buffer);
  }
  return collected;
}

function tooManyBytes(): AppError {
  return tooLarge(`more than ${maxResponseBytes} bytes`);
}

function tooLarge(size: string): AppError {
  return new AppError(
    'RESPONSE_TOO_LARGE',
    `The inventory has ${size}: narrow it with repo_id, severity, state or org_id, or read it in pages with format=json`,
  );
}
