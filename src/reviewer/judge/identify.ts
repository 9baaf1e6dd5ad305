import { redactCredentials } from '../../redaction/redact-credentials.ts';
import type { ChangedFile } from '../change/change.ts';
import { findSymbols } from '../code/symbols.ts';
import { type Finding, type FindingPlace, maxRelated, type RelatedPlace } from '../finding.ts';
import { identityOf, kindOf } from './identity.ts';

/** In characters. The quote is part of the identity, and stored with each finding. */
const maxQuoteLength = 20_000;

/** A finding without an identity. */
export type Draft = Omit<Finding, 'identity' | 'quote' | 'symbol' | 'isInDiff'>;

/** Adds quote, symbol and identity to findings of one file. Credentials in quotes are redacted. */
export async function identify(
  drafts: readonly Draft[],
  file: ChangedFile,
  text: string | undefined,
  lineage: string = file.oldPath ?? file.path,
): Promise<Finding[]> {
  const lines = text?.split('\n') ?? [];
  const symbols = text === undefined ? undefined : await findSymbols(file.path, text);
  const seen = new Map<string, number>();
  // Cached: many findings can be about the same line, which can be as long as a file.
  const quotes = new Map<string, string>();
  const symbolsAt = new Map<number, string | null>();
  try {
    return drafts.map((draft) => {
      const range = `${draft.side}\0${draft.startLine}\0${draft.endLine}`;
      const quote =
        quotes.get(range) ?? redactCredentials(quoteOf(draft, file, lines)).slice(0, maxQuoteLength);
      quotes.set(range, quote);
      const line = draft.side === 'new' ? draft.startLine : null;
      if (line !== null && !symbolsAt.has(line)) symbolsAt.set(line, symbols?.at(line) ?? null);
      const symbol = line === null ? null : symbolsAt.get(line)!;
      const kind = kindOf(draft);
      const key = `${kind}\0${quote.replaceAll(/\s+/g, '')}\0${symbol}`;
      const occurrence = seen.get(key) ?? 0;
      seen.set(key, occurrence + 1);
      return {
        ...draft,
        related: withoutCredentials(draft.related),
        identity: identityOf({ kind, lineage, quote, symbol, occurrence }),
        quote,
        symbol,
        isInDiff: isInDiff(draft, file),
      };
    });
  } finally {
    symbols?.close();
  }
}

/** Texts of related places may quote credentials. Their paths are not redacted, because paths are shown everywhere. */
function withoutCredentials(related: readonly RelatedPlace[]): RelatedPlace[] {
  return related.slice(0, maxRelated).map((place) => ({ ...place, text: redactCredentials(place.text) }));
}

function quoteOf(
  { side, startLine, endLine }: FindingPlace,
  { hunks }: ChangedFile,
  lines: readonly string[],
): string {
  if (startLine === null || endLine === null) return '';
  if (side === 'new' && lines.length > 0) return lines.slice(startLine - 1, endLine).join('\n');
  return hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => {
      const number = side === 'new' ? line.newLine : line.oldLine;
      return number !== null && number >= startLine && number <= endLine;
    })
    .map((line) => line.text)
    .join('\n');
}

/** Hosts accept comments only on lines within a single hunk. */
function isInDiff({ side, startLine, endLine }: FindingPlace, { hunks }: ChangedFile): boolean {
  if (startLine === null || endLine === null) return false;
  return hunks.some((hunk) => {
    const [start, count] = side === 'new' ? [hunk.newStart, hunk.newCount] : [hunk.oldStart, hunk.oldCount];
    return startLine >= start && endLine < start + count;
  });
}
