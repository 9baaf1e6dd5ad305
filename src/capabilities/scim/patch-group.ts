import { isUuid } from '../../lib/uuid.ts';
import { invalid, type PatchOperation, requireText, requireValue } from './patch-operation.ts';
import { type Comparison, parsePath } from './scim-text.ts';

/** A group as the provider describes it. */
export interface GroupState {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly memberIds: ReadonlySet<string>;
}

/** The ids in a list of members: `[{"value": "…"}]`. */
function idsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value == null ? [] : [value];
  return list.map((entry) => {
    const id = (entry as { value?: unknown } | null)?.value;
    if (typeof id !== 'string' || !isUuid(id.toLowerCase()))
      throw invalid('members: must be the ids of users');
    return id.toLowerCase();
  });
}

function setAttribute(state: GroupState, name: string, value: unknown, isAdded: boolean): GroupState {
  switch (name.toLowerCase()) {
    case 'displayname':
      return { ...state, displayName: requireText('displayName', value) };
    case 'externalid':
      return {
        ...state,
        externalId: value == null || value === '' ? null : requireText('externalId', value),
      };
    case 'members':
      return { ...state, memberIds: new Set([...(isAdded ? state.memberIds : []), ...idsOf(value)]) };
    default:
      return state; // nothing else about a group matters here
  }
}

/** The state that a complete resource describes, as POST and PUT send it. */
export function stateOfGroup(resource: Record<string, unknown>): GroupState {
  const empty: GroupState = { displayName: '', externalId: null, memberIds: new Set() };
  const state = Object.entries(resource).reduce(
    (all, [name, value]) => setAttribute(all, name, value, false),
    empty,
  );
  return { ...state, displayName: requireText('displayName', state.displayName) };
}

/** The members that a removal names: by a filter of its path or as its value; without either, all of them. */
function namedIds({ memberIds }: GroupState, filter: Comparison | undefined, value: unknown): Set<string> {
  if (filter === undefined) return value == null ? new Set(memberIds) : new Set(idsOf(value));
  if (filter.attribute !== 'value') throw invalid('path: members can be found only by value');
  return new Set([filter.value.toLowerCase()]);
}

function removeFrom(state: GroupState, { path, value }: PatchOperation): GroupState {
  if (path === undefined) throw invalid('path: required to remove something');
  const { attribute, filter, sub } = parsePath(path);
  if (/^externalid$/i.test(attribute)) return { ...state, externalId: null };
  if (!/^members$/i.test(attribute) || sub !== undefined) throw invalid(`path: ${path} cannot be removed`);
  const gone = namedIds(state, filter, value);
  return { ...state, memberIds: new Set([...state.memberIds].filter((id) => !gone.has(id))) };
}

/** The attribute of a path that names it as a whole, as everything that is set in a group must be. */
function wholeAttribute(path: string): string {
  const { attribute, filter, sub } = parsePath(path);
  if (filter !== undefined || sub !== undefined) throw invalid(`path: ${path} cannot be set`);
  return attribute;
}

/** The state after the operations of a PATCH, as Okta and Entra send them. */
export function patchGroup(before: GroupState, operations: readonly PatchOperation[]): GroupState {
  return operations.reduce<GroupState>((state, operation) => {
    const { path, value } = operation;
    const verb = operation.op.toLowerCase();
    if (verb === 'remove') return removeFrom(state, operation);
    const isAdded = verb === 'add';
    requireValue(operation);
    if (path !== undefined) return setAttribute(state, wholeAttribute(path), value, isAdded);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid('value: must be an object if there is no path');
    return Object.entries(value).reduce(
      (all, [name, inner]) => setAttribute(all, name, inner, isAdded),
      state,
    );
  }, before);
}
