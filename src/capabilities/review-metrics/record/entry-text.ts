import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';
import type { Finding, ReviewRecord, Verdict } from './pull-request-record.ts';

/** The signal is there only for a verdict that webhooks have not been told of. */
type UnlistedVerdict = readonly [
  id: string,
  accepted: boolean | null,
  timeMs: number,
  ...signal: [] | [string | null],
];

/** Which findings a record lists, and the verdicts on those it does not list, as stored beside the entry. */
interface StoredFacts {
  /** Finding id and the time of its verdict, in the order of the comments. */
  readonly listed: readonly (readonly [id: string, timeMs: number | null])[];
  readonly unlisted?: readonly UnlistedVerdict[];
}

type StoredComment = Omit<Finding, 'id'> & { readonly accepted: boolean | null };

interface StoredEntry {
  readonly coderabbit_comments: readonly StoredComment[];
}

/** The entry with its comments as the JSON text that is sent, without a head if it has none yet; null without comments. */
export function entryText({ head, findings, verdicts }: ReviewRecord): string | null {
  if (findings.length === 0) return null;
  const comments = findings.map(({ id, url, severity, category }): StoredComment => {
    return { url, severity, category, accepted: verdicts.get(id)?.accepted ?? null };
  });
  return `${head ?? '{'}"coderabbit_comments":${JSON.stringify(comments)}}`;
}

/** What is known about the findings but not part of their comments; null if there is nothing. */
export function factsText(record: ReviewRecord): string | null {
  const { findings, verdicts } = record;
  if (findings.length === 0 && verdicts.size === 0) return null;
  let judged = 0;
  const listed = findings.map(({ id }) => {
    const verdict = verdicts.get(id);
    if (verdict !== undefined) judged += 1;
    return [id, verdict?.timeMs ?? null] as const;
  });
  const facts: StoredFacts =
    judged === verdicts.size ? { listed } : { listed, unlisted: unlistedVerdicts(record) };
  return JSON.stringify(facts);
}

function unlistedVerdicts({ findings, verdicts, unannounced }: ReviewRecord): UnlistedVerdict[] {
  const listed = new Set(findings.map(({ id }) => id));
  return [...verdicts]
    .filter(([id]) => !listed.has(id))
    .map(([id, { accepted, timeMs }]) => {
      const signal = unannounced.get(id);
      return signal === undefined ? [id, accepted, timeMs] : [id, accepted, timeMs, signal];
    });
}

/** Parses findings and verdicts from the texts of `entryText` and `factsText`. */
export function parseFindings(
  entry: string | null,
  facts: string | null,
): Pick<ReviewRecord, 'findings' | 'verdicts' | 'unannounced'> {
  const { listed, unlisted: others = [] }: StoredFacts = facts === null ? { listed: [] } : JSON.parse(facts);
  const { coderabbit_comments: sent }: StoredEntry =
    entry === null ? { coderabbit_comments: [] } : JSON.parse(entry);
  const verdicts = new Map<string, Verdict>();
  const findings = sent.map(({ url, severity, category, accepted }, index) => {
    const [id, timeMs] = listed[index]!;
    if (timeMs !== null) verdicts.set(id, { accepted, timeMs });
    return { id, url, severity, category };
  });
  const unannounced = new Map<string, string | null>();
  for (const [id, accepted, timeMs, signal] of others) {
    verdicts.set(id, { accepted, timeMs });
    if (signal !== undefined) unannounced.set(id, signal);
  }
  return { findings, verdicts, unannounced };
}

const leaves = ['total', ...severities, ...categories] as const;
export type CountLeaf = (typeof leaves)[number];
const leafPosition = new Map<CountLeaf, number>(leaves.map((leaf, index) => [leaf, index * 2]));
export type CommentCounts = Record<CountLeaf, { posted: number; accepted: number }>;

/** How many findings were posted and accepted: in total, by severity and by category, as a JSON list of numbers. */
export function countsText({ findings, verdicts }: ReviewRecord): string | null {
  if (findings.length === 0) return null;
  const counts = new Array<number>(leaves.length * 2).fill(0);
  const count = (leaf: CountLeaf | null, isAccepted: boolean) => {
    if (leaf === null) return;
    const position = leafPosition.get(leaf)!;
    counts[position]! += 1;
    if (isAccepted) counts[position + 1]! += 1;
  };
  for (const { id, severity, category } of findings) {
    const isAccepted = verdicts.get(id)?.accepted === true;
    count('total', isAccepted);
    count(severity, isAccepted);
    count(category, isAccepted);
  }
  return JSON.stringify(counts);
}

/** Parses the counts from the list of `countsText`; all zero for null. */
export function parseCounts(numbers: readonly number[] | null): CommentCounts {
  const entries = leaves.map((leaf, index) => [
    leaf,
    { posted: numbers?.[index * 2] ?? 0, accepted: numbers?.[index * 2 + 1] ?? 0 },
  ]);
  return Object.fromEntries(entries);
}
