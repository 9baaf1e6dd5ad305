import type { DeliveryHint } from './hosts/host.ts';

/** What is to be read from a host; deliveries and units of work are keyed by it. */
export type Subject =
  | { readonly kind: 'pull_request'; readonly repositoryId: string; readonly number: number }
  | { readonly kind: 'inventory' };

export function subjectKey(subject: Subject): string {
  return subject.kind === 'inventory'
    ? 'inventory'
    : `pull_request/${encodeURIComponent(subject.repositoryId)}/${subject.number}`;
}

export function parseSubject(key: string): Subject {
  const [kind, repositoryId, number] = key.split('/');
  if (kind === 'pull_request' && repositoryId !== undefined && number !== undefined)
    return { kind, repositoryId: decodeURIComponent(repositoryId), number: Number(number) };
  return { kind: 'inventory' };
}

/** The subject of a hint; null if there is nothing to do. */
export function subjectOf(hint: DeliveryHint): string | null {
  return hint.kind === 'ignored' ? null : subjectKey(hint);
}
