import { findView, firstView, type Session, usePlaces, type View } from './session.ts';

const storageKey = 'postil-last-view';

/** Remembers, in this tab, the view that pages outside any view lead back to. */
export function rememberView({ kind, id }: View): void {
  sessionStorage.setItem(storageKey, `${kind}s/${id}`);
}

/** The view that was last shown, or else the one to start with; undefined until it is known, and if there is none. */
export function useLastView(session: Session): View | undefined {
  const [kind, id] = sessionStorage.getItem(storageKey)?.split('/') ?? [];
  const places = usePlaces(session, kind ?? '', id ?? '');
  if (places === undefined) return undefined;
  const remembered = kind !== undefined && id !== undefined ? findView(places, kind, id) : undefined;
  const first = firstView(session);
  return remembered ?? (first && findView(session, first.kind, first.id));
}
