import { TransactionConflict, type Tx } from '../../../db/database.ts';
import type { TransactionPart } from '../../intake/event-type.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import {
  isAnyUrlKnown,
  type PullRequestUrl,
  storeFormerUrls,
} from '../../pull-requests/pull-request-urls.ts';
import { advanceWriteClock } from '../order/write-clock.ts';
import {
  finishDayOf,
  isPendingPosition,
  type PendingPosition,
  type ReviewRecord,
  type WritePosition,
} from '../record/pull-request-record.ts';
import type { PositionedRecord } from '../record/record-columns.ts';
import { loadRecordsByUrl, prepareInsert, type RecordByUrl, updateRecords } from '../record/record-store.ts';
import type { StorageMap, StorageMapCache } from '../storage/storage-map.ts';
import { prepareNotes } from '../sums/note-changes.ts';
import { announceOutcomes } from './announce-outcomes.ts';
import { saveEarlyReports, takeEarlyReports, type UrlReport, withReport } from './early-reports.ts';

/** A record as it was stored, and as it is after the events of this transaction. */
export interface LedgerEntry {
  readonly key: PullRequestKey;
  readonly stored: ReviewRecord | undefined;
  record: ReviewRecord;
  /** All URLs by which this transaction knows it: the stored one, those in its events, and those in reports about it. */
  readonly urls: Set<string>;
  /** Index in the request of the last event about the pull request; -1 when it was loaded only for a report. */
  lastEventIndex: number;
}

/** The changes that the events of one transaction make, written once, right before the commit. */
export interface ReviewLedger {
  readonly entries: Map<string, LedgerEntry>;
  readonly reports: UrlReport[];
}

/** The key of a pull request as one string. */
export function toKeyString({ organizationId, repositoryId, number }: PullRequestKey): string {
  return `${organizationId}/${repositoryId}/${number}`;
}

function toUrlString({ organizationId, url }: PullRequestUrl): string {
  return `${organizationId}/${url}`;
}

// An entry that the ledger has already is newer than the loaded record.
function addLoaded(ledger: ReviewLedger, loaded: readonly RecordByUrl[]): void {
  for (const { key, record, url } of loaded) {
    const text = toKeyString(key);
    const known = ledger.entries.get(text);
    if (known === undefined) {
      const urls = new Set([record.pullRequest.url, url]);
      ledger.entries.set(text, { key, stored: record, record, urls, lastEventIndex: -1 });
    } else known.urls.add(url);
  }
}

// Unique and sorted, so that two transactions wait for each other instead of deadlocking.
function urlsOf(reports: readonly UrlReport[]): PullRequestUrl[] {
  const urls = reports.map((report): [string, PullRequestUrl] => [toUrlString(report), report]);
  return [...new Map(urls.sort(([a], [b]) => (a < b ? -1 : 1))).values()];
}

function entriesByUrl({ entries }: ReviewLedger): Map<string, LedgerEntry[]> {
  const byUrl = new Map<string, LedgerEntry[]>();
  for (const entry of entries.values()) {
    for (const url of entry.urls) {
      const text = toUrlString({ organizationId: entry.key.organizationId, url });
      const others = byUrl.get(text);
      if (others === undefined) byUrl.set(text, [entry]);
      else others.push(entry);
    }
  }
  return byUrl;
}

/** Applies the reports to their pull requests, and returns those whose pull request is not in the ledger. */
function applyReports(ledger: ReviewLedger, reports: readonly UrlReport[]): UrlReport[] {
  if (reports.length === 0) return [];
  const byUrl = entriesByUrl(ledger);
  return reports.filter((report) => {
    const entries = byUrl.get(toUrlString(report));
    for (const entry of entries ?? []) {
      // A report that came before its pull request takes effect with it.
      entry.record = withReport(entry.record, report, Math.max(entry.lastEventIndex, report.index));
    }
    return entries === undefined;
  });
}

// Every URL of the entries except the stored one, or except the current one.
function urlsExcept({ entries }: ReviewLedger, version: 'stored' | 'record') {
  const found: (PullRequestKey & PullRequestUrl)[] = [];
  for (const entry of entries.values()) {
    const except = entry[version]?.pullRequest.url;
    for (const url of entry.urls) if (url !== except) found.push({ ...entry.key, url });
  }
  return found;
}

// Writes rows in the order of the indexes, so that neighbours are written together.
function byIndexOrder(a: PositionedRecord, b: PositionedRecord): number {
  if (a.key.organizationId !== b.key.organizationId)
    return a.key.organizationId < b.key.organizationId ? -1 : 1;
  return finishDayOf(a.record) - finishDayOf(b.record);
}

/** New positions follow the order of the events that made them. */
function positionOffsets(records: readonly ReviewRecord[]): Map<PendingPosition, number> {
  const positions = records.flatMap(({ position, mcpPosition }) =>
    [position, mcpPosition].filter(isPendingPosition),
  );
  return new Map(
    positions.sort((a, b) => a.eventIndex - b.eventIndex).map((position, offset) => [position, offset]),
  );
}

/** Prepares all changes of the ledger; the returned function needs only the first write position. */
function prepareWrite(ledger: ReviewLedger, storages: StorageMap) {
  const changed = [...ledger.entries.values()].filter(({ stored, record }) => stored !== record);
  const offsets = positionOffsets(changed.map(({ record }) => record));
  const offsetOf = (position: WritePosition) => (isPendingPosition(position) ? offsets.get(position)! : null);
  const positioned = changed.map(({ key, stored, record }) => ({
    key,
    record,
    storageId: storages.storageOf(key.organizationId).writeTo,
    writeSeq: offsetOf(record.position),
    mcpSeq: offsetOf(record.mcpPosition),
    isNew: stored === undefined,
  }));
  const known = positioned.filter(({ isNew }) => !isNew);
  const insert = prepareInsert(positioned.filter(({ isNew }) => isNew).sort(byIndexOrder));
  const noteChanges = prepareNotes(changed);

  const seqOf = (position: WritePosition, offset: number | null, first: number) =>
    isPendingPosition(position) ? first + offset! : position;
  return async (tx: Tx, first: number): Promise<void> => {
    await Promise.all([insert(tx, first), noteChanges(tx)]);
    const updated = known.map((item) => ({
      ...item,
      writeSeq: seqOf(item.record.position, item.writeSeq, first),
      mcpSeq: seqOf(item.record.mcpPosition, item.mcpSeq, first),
    }));
    await updateRecords(tx, storages, updated);
  };
}

async function writeLedger(
  tx: Tx,
  ledger: ReviewLedger,
  storageMaps: StorageMapCache,
  now: Date,
): Promise<void> {
  const storages = await storageMaps.get(tx);
  // Computed before reports are applied, because the pull requests that those find are known already.
  const newlyKnown = urlsExcept(ledger, 'stored');
  await storeFormerUrls(tx, urlsExcept(ledger, 'record'));
  addLoaded(ledger, await loadRecordsByUrl(tx, storages, urlsOf(ledger.reports)));
  const early = applyReports(ledger, ledger.reports);

  // Prepared before the write clock is locked, because all other writers wait for the lock.
  let write = prepareWrite(ledger, storages);
  // Two positions are enough for any record: one in each list.
  const clock = await advanceWriteClock(tx, 2 * ledger.entries.size);
  if (clock.storageVersion !== storages.version) {
    storageMaps.invalidate();
    throw new TransactionConflict('the metrics of an organization are now written to another storage');
  }
  // The holder of the write clock sees everything that earlier holders wrote. So either a pull request finds the reports
  // that came early, or a report finds its pull request.
  if (early.length > 0 && (await isAnyUrlKnown(tx, early)))
    throw new TransactionConflict('a pull request was added at the same moment as a report about it');
  await saveEarlyReports(tx, early);
  const waiting = await takeEarlyReports(tx, newlyKnown);
  if (waiting.length > 0) {
    applyReports(ledger, waiting);
    write = prepareWrite(ledger, storages);
  }
  await write(tx, clock.first);
  await announceOutcomes(tx, now, [...ledger.entries.values()]);
}

/** The part of an intake transaction that writes the metrics. */
export function reviewLedger(storageMaps: StorageMapCache): TransactionPart<ReviewLedger> {
  return {
    begin: () => ({ entries: new Map(), reports: [] }),
    finish: (tx, ledger, { now }) => writeLedger(tx, ledger, storageMaps, now),
  };
}
