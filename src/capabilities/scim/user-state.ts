import { isDeepStrictEqual } from 'node:util';
import { invalid, type PatchOperation, requireText, requireValue } from './patch-operation.ts';
import { type AttributePath, isNamed, parseFlag, parsePath } from './scim-text.ts';

type Attributes = Record<string, unknown>;

/** A user as the provider describes it. */
export interface UserState {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  /** Everything else that was sent, returned as it came. */
  readonly attributes: Readonly<Attributes>;
}

/** Written by the server, or never stored. */
const ownAttributes = new Set(['schemas', 'id', 'meta', 'groups', 'password']);

/** The state that a complete resource describes, as POST and PUT send it. */
export function stateOfResource(resource: Attributes): UserState {
  let state: UserState = { userName: '', externalId: null, active: true, attributes: {} };
  for (const [name, value] of Object.entries(resource)) state = setAttribute(state, name, value);
  return { ...state, userName: requireText('userName', state.userName) };
}

/** The name under which an attribute is stored: case has no meaning in it. */
function storedName(attributes: Readonly<Attributes>, name: string): string {
  return Object.keys(attributes).find((held) => held.toLowerCase() === name.toLowerCase()) ?? name;
}

function setAttribute(state: UserState, name: string, value: unknown): UserState {
  switch (name.toLowerCase()) {
    case 'username':
      return { ...state, userName: requireText('userName', value) };
    case 'externalid':
      return {
        ...state,
        externalId: value == null || value === '' ? null : requireText('externalId', value),
      };
    case 'active':
      return { ...state, active: parseFlag(value) };
    default:
      if (ownAttributes.has(name.toLowerCase())) return state;
      return {
        ...state,
        attributes: {
          ...state.attributes,
          [storedName(state.attributes, name)]: name.toLowerCase() === 'emails' ? emailsOf(value) : value,
        },
      };
  }
}

/** They decide who the person is, so that their shape is checked; a single one need not be a list. */
function emailsOf(value: unknown): Attributes[] {
  const list = Array.isArray(value) ? value : value == null ? [] : [value];
  if (!list.every(isObject)) throw invalid('emails: must be a list of objects, each with a value');
  return list;
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const objectOf = (value: unknown): Attributes => (isObject(value) ? value : {});

/** Entries that are added to a list join those that are there. */
function addTo(held: unknown, value: unknown): unknown {
  if (!Array.isArray(held) || !Array.isArray(value)) return value;
  return [...held, ...value.filter((entry) => !held.some((known) => isDeepStrictEqual(known, entry)))];
}

/** An entry of a list that a path such as `emails[type eq "work"].value` names; it is added if there is none. */
function setInList(list: unknown, { filter, sub }: AttributePath, value: unknown): unknown[] {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const changed = sub === undefined ? value : { [sub]: value };
  const merged = (entry: unknown) =>
    isObject(changed) && isObject(entry) ? { ...entry, ...changed } : changed;
  const isWanted = (entry: unknown) => isNamed(entry, filter!);
  if (entries.some(isWanted)) return entries.map((entry) => (isWanted(entry) ? merged(entry) : entry));
  return [...entries, merged({ [filter!.attribute]: filter!.value })];
}

function setAtPath(state: UserState, path: AttributePath, value: unknown, isAdded: boolean): UserState {
  const { extension, attribute, filter, sub } = path;
  const { attributes } = state;
  if (extension !== undefined) {
    const held = objectOf(attributes[storedName(attributes, extension)]);
    const inner = sub === undefined ? value : { ...objectOf(held[attribute]), [sub]: value };
    return setAttribute(state, extension, { ...held, [attribute]: inner });
  }
  const held = attributes[storedName(attributes, attribute)];
  if (filter !== undefined) return setAttribute(state, attribute, setInList(held, path, value));
  if (sub !== undefined) return setAttribute(state, attribute, { ...objectOf(held), [sub]: value });
  return setAttribute(state, attribute, isAdded ? addTo(held, value) : value);
}

function removeAtPath(state: UserState, { extension, attribute, filter, sub }: AttributePath): UserState {
  if (/^(username|active)$/i.test(attribute)) throw invalid(`path: ${attribute} cannot be removed`);
  if (/^externalid$/i.test(attribute)) return { ...state, externalId: null };
  const name = storedName(state.attributes, extension ?? attribute);
  const { [name]: held, ...others } = state.attributes;
  if (filter !== undefined && Array.isArray(held)) {
    const kept = held.filter((entry) => !isNamed(entry, filter));
    return { ...state, attributes: { ...others, [name]: kept } };
  }
  const inner = extension === undefined ? sub : attribute;
  if (inner === undefined || !isObject(held)) return { ...state, attributes: others };
  const { [inner]: _, ...rest } = held;
  return { ...state, attributes: { ...others, [name]: rest } };
}

/** The URN of a schema itself; with one more name it is a path into it. */
const schemaUrn = /^urn:.*:\d+\.\d+:\w+$/i;
const isPath = (name: string) => (/^urn:/i.test(name) ? !schemaUrn.test(name) : /[.[]/.test(name));

/** The state after the operations of a PATCH, as Okta and Entra send them. */
export function patchUser(before: UserState, operations: readonly PatchOperation[]): UserState {
  return operations.reduce<UserState>((state, operation) => {
    const { path, value } = operation;
    const verb = operation.op.toLowerCase();
    if (verb === 'remove') {
      if (path === undefined) throw invalid('path: required to remove something');
      return removeAtPath(state, parsePath(path));
    }
    const isAdded = verb === 'add';
    requireValue(operation);
    if (path !== undefined) return setAtPath(state, parsePath(path), value, isAdded);
    if (!isObject(value)) throw invalid('value: must be an object if there is no path');
    // Entra puts paths into the names: {"name.givenName": "Alice"}. An extension is named by its URN.
    return Object.entries(value).reduce(
      (all, [name, inner]) =>
        schemaUrn.test(name)
          ? setAttribute(all, name, {
              ...objectOf(all.attributes[storedName(all.attributes, name)]),
              ...objectOf(inner),
            })
          : setAtPath(all, isPath(name) ? parsePath(name) : plainPath(name), inner, isAdded),
      state,
    );
  }, before);
}

function plainPath(attribute: string): AttributePath {
  return { extension: undefined, attribute, filter: undefined, sub: undefined };
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
