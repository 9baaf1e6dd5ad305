import { postedTextStart } from '../../connections/hosts/review-host.ts';

/** What kind of text a marker denotes: a finding, the reply that one is gone, or the summary. */
export type Marker =
  | { readonly kind: 'finding' | 'gone'; readonly findingId: string; readonly runId: string }
  | { readonly kind: 'summary' | 'review'; readonly runId: string };

/** The first line of a text. People do not see it; the next attempt recognizes the text by it (ADR 0089). */
export function writeMarker(marker: Marker): string {
  const id = 'findingId' in marker ? ` id=${marker.findingId}` : '';
  return `${postedTextStart}${marker.kind}${id} run=${marker.runId} -->`;
}

const form = /^<!-- postil:(finding|gone|summary|review)(?: id=([\w-]{1,64}))? run=([\w-]{1,64}) -->/;

/**
 * Reads the marker at the start of a text; null for other texts, and for a marker anywhere else, which could be a quotation.
 */
export function readMarker(text: string): Marker | null {
  const [, kind, findingId, runId] = form.exec(text) ?? [];
  if (runId === undefined) return null;
  if (kind === 'summary' || kind === 'review') return { kind, runId };
  return findingId === undefined ? null : { kind: kind as 'finding' | 'gone', findingId, runId };
}
