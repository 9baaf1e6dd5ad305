import { breaking, compatible, type Difference } from '../difference.ts';
import { SchemaComparison } from './compare-openapi-schemas.ts';
import type { Description } from './description.ts';
import { type Fields, isFields, placeOf, type Value } from './read-document.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

interface Operation {
  /** For messages: `GET /orders/{id}`. */
  readonly name: string;
  /** Method and path including the base path, since a part of the path may have moved to or from the base path. */
  readonly address: string;
  readonly item: Fields;
  readonly method: string;
  readonly value: Fields;
  readonly parameters: ReadonlyMap<string, Fields>;
  /** False if a parameter cannot be resolved. */
  readonly isWhole: boolean;
}

/** Compares two versions of an API description, and decides which differences break clients. */
export function compareDescriptions(before: Description, after: Description): Difference[] {
  const { operations: old } = operationsOf(before);
  const { operations: own, unknown } = operationsOf(after);
  const byAddress = new Map([...own.values()].map((operation) => [operation.address, operation]));
  const oldAddresses = new Set([...old.values()].map(({ address }) => address));
  const schemas = new SchemaComparison(before, after);
  const found: Difference[] = [];
  for (const [name, operation] of old) {
    const now = own.get(name) ?? byAddress.get(operation.address);
    if (now === undefined) {
      if (!unknown.has(name))
        found.push(
          breaking(`\`${operation.name}\` was removed`, 'old', placeOf(operation.item, operation.method)),
        );
    } else if (isDescribed(operation))
      found.push(...compareOperations(before, operation, after, now, schemas));
  }
  for (const [name, { name: said, item, method, address }] of own)
    if (!old.has(name) && !oldAddresses.has(address))
      found.push(compatible(`\`${said}\` is new`, 'new', placeOf(item, method)));
  return [...found, ...schemas.differences];
}

/** Whether an extension marks something as internal or unstable. */
const isUnpromised = (value: Fields) => value['x-internal'] === true || value['x-unstable'] === true;

/**
 * The operations by method and path, regardless of the names of path parameters. `unknown` has those that cannot be resolved, or
 * are marked as internal or unstable.
 */
function operationsOf(description: Description): {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly unknown: ReadonlySet<string>;
} {
  const operations = new Map<string, Operation>();
  const unknown = new Set<string>();
  const { paths, basePath, servers } = description.root;
  const [server] = Array.isArray(servers) ? (servers as readonly Value[]) : [];
  const url = isFields(server) && typeof server.url === 'string' ? server.url : '';
  const beginning = typeof basePath === 'string' ? basePath : url.replace(/^\w+:\/\/[^/]*/, '');
  for (const [route, given] of Object.entries(isFields(paths) ? paths : {})) {
    const item = description.resolve(given)?.value;
    for (const method of methods) {
      const name = `${method.toUpperCase()} ${route}`;
      const key = name.replaceAll(/\{[^}]*\}/g, '{}');
      if (item !== undefined && item[method] === undefined) continue;
      const value = item === undefined ? undefined : description.resolve(item[method])?.value;
      if (item === undefined || value === undefined || isUnpromised(value)) {
        unknown.add(key);
        continue;
      }
      const given = [...listOf(item.parameters), ...listOf(value.parameters)];
      const parameters = new Map(given.flatMap((each) => parameterOf(description, each)));
      const isWhole = given.every((each) => description.resolve(each) !== undefined);
      const address = `${method} ${beginning}${route}`.replaceAll(/\{[^}]*\}/g, '{}').replaceAll('//', '/');
      operations.set(key, { name, address, item, method, value, parameters, isWhole });
    }
  }
  return { operations, unknown };
}

/**
 * Generators that read comments may list an operation without any response. If such an operation gets details later, these are
 * not new to clients.
 */
function isDescribed({ value: { responses } }: Operation): boolean {
  return isFields(responses) && Object.keys(responses).length > 0;
}

const listOf = (value: Value | undefined) => (Array.isArray(value) ? (value as readonly Value[]) : []);

function parameterOf(description: Description, given: Value): [string, Fields][] {
  const value = description.resolve(given)?.value;
  return value === undefined
    ? []
    : [[`${value.in} ${value.in === 'header' ? String(value.name).toLowerCase() : value.name}`, value]];
}

function compareOperations(
  before: Description,
  old: Operation,
  after: Description,
  own: Operation,
  schemas: SchemaComparison,
): Difference[] {
  return [
    ...compareParameters(old, own, schemas),
    ...compareBodies(bodyOf(before, old), bodyOf(after, own), own, schemas),
    ...compareResponses(before, old, after, own, schemas),
  ];
}

/** Path parameters are compared with the path, and bodies separately. */
const isPlain = ({ in: place }: Fields) => place !== 'path' && place !== 'body' && place !== 'formData';

function compareParameters(old: Operation, own: Operation, schemas: SchemaComparison): Difference[] {
  const found: Difference[] = [];
  for (const [key, parameter] of old.parameters) {
    const now = own.parameters.get(key);
    const said = `the parameter \`${parameter.name}\` of \`${own.name}\``;
    if (now === undefined) {
      if (isPlain(parameter) && own.isWhole)
        found.push(breaking(`${said} was removed`, 'old', placeOf(parameter, 'name')));
      continue;
    }
    if (now.required === true && parameter.required !== true && isPlain(now))
      found.push(breaking(`${said} is now required`, 'new', placeOf(now, 'required')));
    if (isPlain(now)) schemas.compare(parameter.schema ?? parameter, now.schema ?? now, 'request', said);
  }
  for (const [key, parameter] of own.parameters) {
    if (old.parameters.has(key) || !isPlain(parameter)) continue;
    const said = `the parameter \`${parameter.name}\` of \`${own.name}\` is new`;
    if (parameter.required === true)
      found.push(breaking(`${said} and required`, 'new', placeOf(parameter, 'name')));
    else found.push(compatible(said, 'new', placeOf(parameter, 'name')));
  }
  return found;
}

interface Body {
  readonly isRequired: boolean;
  readonly holder: Fields;
  readonly content: ReadonlyMap<string, Value | undefined>;
}

/** The body in the form of version 3; in version 2 it is a parameter. */
function bodyOf(description: Description, { value, parameters }: Operation): Body | undefined {
  const body = description.resolve(value.requestBody)?.value;
  if (body !== undefined)
    return { isRequired: body.required === true, holder: body, content: contentOf(body) };
  const parameter =
    parameters.get('body body') ?? [...parameters.values()].find((each) => each.in === 'body');
  return (
    parameter && {
      isRequired: parameter.required === true,
      holder: parameter,
      content: new Map([['', parameter.schema]]),
    }
  );
}

function contentOf({ content, schema }: Fields): Map<string, Value | undefined> {
  if (!isFields(content)) return schema === undefined ? new Map() : new Map([['', schema]]);
  return new Map(
    Object.entries(content).map(([type, media]) => [
      type.split(';')[0]!.trim(),
      isFields(media) ? media.schema : undefined,
    ]),
  );
}

function compareBodies(
  old: Body | undefined,
  own: Body | undefined,
  operation: Operation,
  schemas: SchemaComparison,
): Difference[] {
  const said = `the request body of \`${operation.name}\``;
  if (own === undefined || old === undefined)
    return own?.isRequired === true
      ? [breaking(`${said} is new and required`, 'new', placeOf(own.holder))]
      : [];
  const found: Difference[] = [];
  if (own.isRequired && !old.isRequired)
    found.push(breaking(`${said} is now required`, 'new', placeOf(own.holder, 'required')));
  for (const [type, schema] of old.content) {
    if (own.content.has(type)) schemas.compare(schema, own.content.get(type), 'request', said);
    else if (own.content.size > 0 && type !== '' && !own.content.has('') && !own.content.has('*/*'))
      found.push(breaking(`${said} can no longer be \`${type}\``, 'new', placeOf(own.holder, 'content')));
  }
  return found;
}

interface Success {
  /** Undefined if it cannot be resolved. */
  readonly response: Fields | undefined;
  readonly holder: Fields;
}

/** The successful (2xx) responses, by status. */
function successesOf(description: Description, { value }: Operation): Map<string, Success> {
  const { responses } = value;
  const found = new Map<string, Success>();
  if (!isFields(responses)) return found;
  for (const [status, given] of Object.entries(responses))
    if (/^2/.test(status))
      found.set(status.toUpperCase(), { response: description.resolve(given)?.value, holder: responses });
  return found;
}

function compareResponses(
  before: Description,
  old: Operation,
  after: Description,
  own: Operation,
  schemas: SchemaComparison,
): Difference[] {
  const [was, is] = [successesOf(before, old), successesOf(after, own)];
  const found: Difference[] = [];
  for (const [status, { response, holder }] of was) {
    const now = is.get(status);
    const said = `the response ${status} of \`${own.name}\``;
    if (now === undefined) {
      if (!is.has('2XX') && is.size > 0)
        found.push(breaking(`${said} was removed`, 'old', placeOf(holder, status)));
      continue;
    }
    if (response === undefined || now.response === undefined) continue;
    const [oldContent, ownContent] = [contentOf(response), contentOf(now.response)];
    for (const [type, schema] of oldContent) {
      if (ownContent.has(type)) schemas.compare(schema, ownContent.get(type), 'response', said);
      else if (ownContent.size > 0 && type !== '' && type !== '*/*' && !ownContent.has(''))
        found.push(breaking(`${said} is no longer \`${type}\``, 'new', placeOf(now.response, 'content')));
    }
  }
  for (const [status, { holder }] of is)
    if (!was.has(status))
      found.push(
        compatible(`the response ${status} of \`${own.name}\` is new`, 'new', placeOf(holder, status)),
      );
  return found;
}
