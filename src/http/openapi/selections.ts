import { z } from 'zod';
import type { KeyKind } from '../../access/api-key-value.ts';
import type { Endpoint, KeyEndpoint } from '../endpoint.ts';
import { type SelectionField, selectionFields } from '../request/selection-fields.ts';
import { acceptedKinds } from './accepted-kinds.ts';

type Place = 'query' | 'body';

const names: readonly SelectionField[] = ['org_id', 'organization_ids'];
const nouns: Partial<Record<KeyKind, string>> = {
  workspace: 'a workspace token',
  instance: 'an instance key',
};

function usesOf({ access, method }: KeyEndpoint, kind: KeyKind, place: Place) {
  return selectionFields(kind, access, method, place);
}

/** Where a kind of key can select an organization with `org_id`. */
function placesFor(endpoint: KeyEndpoint, kind: KeyKind): Place[] {
  const body = endpoint.bodyByKind?.[kind] ?? endpoint.body;
  const places: Place[] = body instanceof z.ZodObject ? ['query', 'body'] : ['query'];
  return places.filter((place) => !['ignored', undefined].includes(usesOf(endpoint, kind, place).org_id));
}

/** What `org_id` means in this place for a kind of key that does not ignore it. */
function meaning(endpoint: KeyEndpoint, kind: KeyKind, place: Place): string {
  const noun = nouns[kind] ?? `a key of kind ${kind}`;
  const places = placesFor(endpoint, kind);
  if (places.length === 0) return `not accepted from ${noun}`;
  if (!places.includes(place)) return `must be in the ${places.join()} for ${noun}`;
  const where = places.length > 1 ? `, in the ${places.join(' or in the ')}` : '';
  if (endpoint.access.instance === 'home_one_or_every' && kind === 'instance')
    return `for ${noun} one organization, or ALL, which is not accepted from the other kinds${where}`;
  const isRequired = usesOf(endpoint, kind, place).org_id === 'required';
  return `${isRequired ? 'required' : 'selects one organization'} for ${noun}${where}`;
}

function describe(endpoint: KeyEndpoint, name: SelectionField, kinds: readonly KeyKind[], place: Place) {
  if (name === 'organization_ids') return 'Git provider organization ids, at most 10; only for instance keys';
  const isIgnored = (kind: KeyKind) => usesOf(endpoint, kind, place).org_id === 'ignored';
  const meanings = kinds.filter((kind) => !isIgnored(kind)).map((kind) => meaning(endpoint, kind, place));
  const rest = meanings.length === 0 ? 'ignored' : 'ignored for the other kinds of key';
  return `Git provider organization id: ${[...meanings, ...(kinds.some(isIgnored) ? [rest] : [])].join('; ')}`;
}

/** The selection fields that the query or the body may have, with what each means for the kinds of keys that the endpoint accepts. */
export function selectionsIn(endpoint: Endpoint, place: Place, of?: readonly KeyKind[]) {
  if (endpoint.audience !== 'key') return [];
  const kinds = acceptedKinds(endpoint).filter((kind) => of?.includes(kind) ?? true);
  return names
    .filter((name) => kinds.some((kind) => usesOf(endpoint, kind, place)[name] !== undefined))
    .map((name) => ({ name, description: describe(endpoint, name, kinds, place) }));
}
