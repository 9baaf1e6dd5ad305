import { AppError } from '../../lib/app-error.ts';
import { type AttributePath, parseFlag, parsePath } from './scim-text.ts';

type Attributes = Record<string, unknown>;

/** A user as the provider describes it. */
export interface UserState {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  /** Everything else that was sent, returned as it came. */
  readonly attributes: Readonly<Attributes>;
}

export interface PatchOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

/** Written by the server, or never stored. */
const ownAttributes = new Set(['schemas', 'id', 'meta', 'groups', 'password']);
const maxNameLength = 255;

function invalid(message: string): AppError {
  return new AppError('INVALID_REQUEST', message);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= maxNameLength) return value.trim();
  throw invalid(`${name}: must be a text of 1 to ${maxNameLength} characters`);
}

/** The state that a complete resource describes, as POST and PUT send it. */
export function stateOfResource(resource: Attributes): UserState {
  let state: UserState = { userName: '', externalId: null, active: true, attributes: {} };
  for (const [name, value] of Object.entries(resource)) state = setAttribute(state, name, value);
  return { ...state, userName: textOf('userName', state.userName) };
}

function setAttribute(state: UserState, name: string, value: unknown): UserState {
  switch (name.toLowerCase()) {
    case 'username':
      return { ...state, userName: textOf('userName', value) };
    case 'externalid':
      return { ...state, externalId: value == null || value === '' ? null : textOf('externalId', value) };
    case 'active':
      return { ...state, active: parseFlag(value) };
    default:
      if (ownAttributes.has(name.toLowerCase())) return state;
      return { ...state, attributes: { ...state.attributes, [name]: value } };
  }
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An entry of a list that a path such as `emails[type eq "work"].value` names; it is added if there is none. */
function setInList(list: unknown, path: AttributePath, value: unknown): unknown[] {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const { attribute, value: wanted } = path.filter!;
  const isWanted = (entry: unknown) =>
    isObject(entry) &&
    Object.entries(entry).some(([name, held]) => name.toLowerCase() === attribute && String(held) === wanted);
  const changed = path.sub === undefined ? value : { [path.sub]: value };
  const merged = (entry: unknown) =>
    isObject(changed) && isObject(entry) ? { ...entry, ...changed } : changed;
  if (entries.some(isWanted)) return entries.map((entry) => (isWanted(entry) ? merged(entry) : entry));
  return [...entries, merged({ [attribute]: wanted })];
}

function setAtPath(state: UserState, path: AttributePath, value: unknown): UserState {
  const { extension, attribute, filter, sub } = path;
  if (extension !== undefined) {
    const held = state.attributes[extension];
    return setAttribute(state, extension, { ...(isObject(held) ? held : {}), [attribute]: value });
  }
  const held = state.attributes[attribute];
  if (filter !== undefined) return setAttribute(state, attribute, setInList(held, path, value));
  if (sub !== undefined)
    return setAttribute(state, attribute, { ...(isObject(held) ? held : {}), [sub]: value });
  return setAttribute(state, attribute, value);
}

function removeAtPath(state: UserState, path: AttributePath): UserState {
  const { extension, attribute, filter, sub } = path;
  if (/^(username|active)$/i.test(attribute)) throw invalid(`path: ${attribute} cannot be removed`);
  if (/^externalid$/i.test(attribute)) return { ...state, externalId: null };
  const { [extension ?? attribute]: held, ...others } = state.attributes;
  if (filter !== undefined && Array.isArray(held)) {
    const isNamed = (entry: unknown) =>
      isObject(entry) && String(entry[filter.attribute] ?? '') === filter.value;
    return { ...state, attributes: { ...others, [attribute]: held.filter((entry) => !isNamed(entry)) } };
  }
  const inner = extension === undefined ? sub : attribute;
  if (inner === undefined || !isObject(held)) return { ...state, attributes: others };
  const { [inner]: _, ...rest } = held;
  return { ...state, attributes: { ...others, [extension ?? attribute]: rest } };
}

/** The state after the operations of a PATCH, as Okta and Entra send them. */
export function patchUser(before: UserState, operations: readonly PatchOperation[]): UserState {
  return operations.reduce<UserState>((state, { op, path, value }) => {
    const verb = op.toLowerCase();
    if (verb === 'remove') {
      if (path === undefined) throw invalid('path: required to remove something');
      return removeAtPath(state, parsePath(path));
    }
    if (path !== undefined) return setAtPath(state, parsePath(path), value);
    if (!isObject(value)) throw invalid('value: must be an object if there is no path');
    // Entra puts paths into the names: {"name.givenName": "Alice"}. An extension is named by its URN and is an object.
    return Object.entries(value).reduce(
      (all, [name, inner]) =>
        isObject(inner) || !/[.[]/.test(name)
          ? setAttribute(all, name, inner)
          : setAtPath(all, parsePath(name), inner),
      state,
    );
  }, before);
}

const address = /^[^@\s]{1,64}@[^@\s]{1,189}$/;

/** The address that makes a user a person: the primary email, the first one, or the user name. */
export function emailOf({ userName, attributes }: UserState): string {
  const listed = Array.isArray(attributes.emails) ? attributes.emails.filter(isObject) : [];
  const primary = listed.find(({ primary }) => primary === true || String(primary).toLowerCase() === 'true');
  const chosen = (primary ?? listed[0])?.value ?? userName;
  if (typeof chosen !== 'string' || !address.test(chosen))
    throw invalid('emails: the user needs an email address, as the primary email or as the userName');
  return chosen.toLowerCase();
}
