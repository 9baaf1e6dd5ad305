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
  isNewPlace,
  type NewPlace,
  type Place,
  type ReviewRecord,
} from '../record/pull-request-record.ts';
import type { PlacedRecord } from '../record/record-columns.ts';
import { loadRecordsByUrl, type NamedRecord, prepareInsert, updateRecords } from '../record/record-store.ts';
import type { StorageMap, StorageMemory } from '../storage/storage-map.ts';
import { keepEarlyReports, takeEarlyReports, type UrlReport, withReport } from './early-reports.ts';

/** A record as it was stored, and as the events of this transaction make it. */
export interface LedgerEntry {
  readonly key: PullRequestKey;
  readonly stored: ReviewRecord | undefined;
  record: ReviewRecord;
  /** All URLs that this transaction knows it by: the stored one, those its events told, and those reports found it by. */
  readonly urls: Set<string>;
  /** The place in the request of the last event that told the pull request; -1 when it was known before. */
  toldIndex: number;
}

/** What the events of one transaction change; it is written down once, as the last work before the commit. */
export interface ReviewLedger {
  readonly entries: Map<string, LedgerEntry>;
  readonly reports: UrlReport[];
}

/** One text for the key of a pull request. */
export function keyText({ organizationId, repositoryId, number }: PullRequestKey): string {
  return `${organizationId}/${repositoryId}/${number}`;
}

function urlText({ organizationId, url }: PullRequestUrl): string {
  return `${organizationId}/${url}`;
}

// What the ledger knows of them already is newer.
function enter(ledger: ReviewLedger, loaded: readonly NamedRecord[]): void {
  for (const { key, record, url } of loaded) {
    const text = keyText(key);
    const known = ledger.entries.get(text);
    if (known === undefined) {
      const urls = new Set([record.pullRequest.url, url]);
      ledger.entries.set(text, { key, stored: record, record, urls, toldIndex: -1 });
    } else known.urls.add(url);
  }
}

// Each once and in one order, so that two transactions wait for each other instead of locking up.
function urlsOf(reports: readonly UrlReport[]): PullRequestUrl[] {
  const urls = reports.map((report): [string, PullRequestUrl] => [urlText(report), report]);
  return [...new Map(urls.sort(([a], [b]) => (a < b ? -1 : 1))).values()];
}

function entriesByUrl({ entries }: ReviewLedger): Map<string, LedgerEntry[]> {
  const byUrl = new Map<string, LedgerEntry[]>();
  for (const entry of entries.values()) {
    for (const url of entry.urls) {
      const text = urlText({ organizationId: entry.key.organizationId, url });
      const others = byUrl.get(text);
      if (others === undefined) byUrl.set(text, [entry]);
      else others.push(entry);
    }
  }
  return byUrl;
}

/** Applies the reports to the pull requests they name, and gives back those whose pull request is not in the ledger. */
function applyReports(ledger: ReviewLedger, reports: readonly UrlReport[]): UrlReport[] {
  if (reports.length === 0) return [];
  const byUrl = entriesByUrl(ledger);
  return reports.filter((report) => {
    const entries = byUrl.get(urlText(report));
    for (const entry of entries ?? []) {
      // A report that came first waits for its pull request.
      entry.record = withReport(entry.record, report, Math.max(entry.toldIndex, report.index));
    }
    return entries === undefined;
  });
}

// Every URL of the entries, except the one that each of them had before, or has now.
function urlsExcept({ entries }: ReviewLedger, moment: 'stored' | 'record') {
  const found: (PullRequestKey & PullRequestUrl)[] = [];
  for (const entry of entries.values()) {
    const except = entry[moment]?.pullRequest.url;
    for (const url of entry.urls) if (url !== except) found.push({ ...entry.key, url });
  }
  return found;
}

// What lies side by side in the indexes is written one after the other.
function bySlots(a: PlacedRecord, b: PlacedRecord): number {
  if (a.key.organizationId !== b.key.organizationId)
    return a.key.organizationId < b.key.organizationId ? -1 : 1;
  return finishDayOf(a.record) - finishDayOf(b.record);
}

/** New positions follow the order of the events that made them. */
function offsetsOf(records: readonly ReviewRecord[]): Map<NewPlace, number> {
  const places = records.flatMap(({ place, mcpPlace }) => [place, mcpPlace].filter(isNewPlace));
  return new Map(places.sort((a, b) => a.event - b.event).map((place, offset) => [place, offset]));
}

/** Makes ready what the ledger changes; only the first position is missing. */
function prepareWriting(ledger: ReviewLedger, storages: StorageMap) {
  const changed = [...ledger.entries.values()].filter(({ stored, record }) => stored !== record);
  const offsets = offsetsOf(changed.map(({ record }) => record));
  const offsetOf = (place: Place) => (isNewPlace(place) ? offsets.get(place)! : null);
  const placed = changed.map(({ key, stored, record }) => ({
    key,
    record,
    storageId: storages.placeOf(key.organizationId).writeTo,
    writeSeq: offsetOf(record.place),
    mcpSeq: offsetOf(record.mcpPlace),
    isNew: stored === undefined,
  }));
  const known = placed.filter(({ isNew }) => !isNew);
  const insert = prepareInsert(placed.filter(({ isNew }) => isNew).sort(bySlots));

  const seqOf = (place: Place, offset: number | null, first: number) =>
    isNewPlace(place) ? first + offset! : place;
  return async (tx: Tx, first: number): Promise<void> => {
    await insert(tx, first);
    const updated = known.map((item) => ({
      ...item,
      writeSeq: seqOf(item.record.place, item.writeSeq, first),
      mcpSeq: seqOf(item.record.mcpPlace, item.mcpSeq, first),
    }));
    await updateRecords(tx, storages, updated);
  };
}

async function settle(tx: Tx, ledger: ReviewLedger, memory: StorageMemory): Promise<void> {
  const storages = await memory.current(tx);
  // Before the reports are looked at: what they find is known.
  const newlyKnown = urlsExcept(ledger, 'stored');
  await storeFormerUrls(tx, urlsExcept(ledger, 'record'));
  enter(ledger, await loadRecordsByUrl(tx, storages, urlsOf(ledger.reports)));
  const early = applyReports(ledger, ledger.reports);

  // All that can be made ahead is, because all writers wait for the one who has the clock.
  let write = prepareWriting(ledger, storages);
  // Two positions are enough for any record: one in each list.
  const clock = await advanceWriteClock(tx, 2 * ledger.entries.size);
  if (clock.storageVersion !== storages.version) {
    memory.forget();
    throw new TransactionConflict('the metrics of an organization are now written elsewhere');
  }
  // Whoever has the clock sees all that was written by those who had it before. So a pull request finds the reports
  // that came early, or a report finds its pull request.
  if (early.length > 0 && (await isAnyUrlKnown(tx, early)))
    throw new TransactionConflict('a pull request was added at the same moment as a report about it');
  await keepEarlyReports(tx, early);
  const waiting = await takeEarlyReports(tx, newlyKnown);
  if (waiting.length > 0) {
    applyReports(ledger, waiting);
    write = prepareWriting(ledger, storages);
  }
  await write(tx, clock.first);
}

/** The part of an intake transaction that keeps the metrics. */
export function reviewLedger(memory: StorageMemory): TransactionPart<ReviewLedger> {
  return {
    begin: () => ({ entries: new Map(), reports: [] }),
    finish: (tx, ledger) => settle(tx, ledger, memory),
  };
}
