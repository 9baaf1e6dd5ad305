import { z } from 'zod';
import type { KeyAccess } from '../../access/access-rule.ts';
import type { KeyKind } from '../../access/api-key-value.ts';
import { meansEveryOrganization, type ScopeSelection } from '../../access/org-scope.ts';
import { AppError, type ErrorCode } from '../../lib/app-error.ts';
import { FaultList } from '../../lib/wire/faults.ts';
import { checkJsonSize, parseJson } from '../../lib/wire/parse-json.ts';
import { isUnstorable, maxJsonDepth, unstorableFault } from '../../lib/wire/unstorable-text.ts';
import { type CodedFault, commaListParameter, providerId } from '../../lib/wire/wire.ts';
import type { Endpoint } from '../endpoint.ts';
import { largeBodyBytes } from './body-pool.ts';
import { defaultBodyBytes, type RequestBody } from './request-body.ts';
import {
  type SelectionField,
  type SelectionFields,
  type SelectionUse,
  selectionFields,
} from './selection-fields.ts';

const maxSelected = 10;
const orgId = z.object({ org_id: providerId.optional() });
const selectionInQuery = {
  org_id: orgId,
  organization_ids: z.object({ organization_ids: commaListParameter(maxSelected).optional() }),
};
const selectionInBody = {
  org_id: orgId,
  organization_ids: z.object({
    organization_ids: z.array(providerId).min(1).max(maxSelected).optional(),
  }),
};

/** An ignored selection has no meaning that could be wrong; only its type is checked. */
const ignoredSelection = z.object({ org_id: z.string() });

/** The faults of a request so far; a single fault may have its own code. */
class RequestFaults {
  readonly #list = new FaultList();
  readonly #codes = new Set<ErrorCode>();

  add(sentence: string): void {
    this.#list.add(sentence);
    this.#codes.add('INVALID_REQUEST');
  }

  addIssues(issues: readonly z.core.$ZodIssue[]): void {
    this.#list.addIssues(issues);
    for (const issue of issues) {
      const coded = issue.code === 'custom' ? (issue.params as CodedFault | undefined) : undefined;
      this.#codes.add(coded?.errorCode ?? 'INVALID_REQUEST');
    }
  }

  throwIfAny(): void {
    const [code, ...others] = this.#codes;
    if (code === undefined) return;
    throw new AppError(others.length === 0 ? code : 'INVALID_REQUEST', this.#list.sentences);
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, faults: RequestFaults): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  faults.addIssues(result.error.issues);
  return undefined;
}

/** The query of a URL: everything after the first question mark. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

function readQuery(
  url: string,
  repeatable: readonly string[],
  faults: RequestFaults,
): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of queryOf(url)) {
    if (isUnstorable(name) || isUnstorable(value)) faults.add('the query contains an invalid character');
    else if (repeatable.includes(name))
      query[name] = [...((query[name] as string[] | undefined) ?? []), value];
    else if (name in query) faults.add(`${name}: given more than once`);
    else query[name] = value;
  }
  return query;
}

/** No id contains such a character, and PostgreSQL would reject it. */
function checkPath(params: unknown, faults: RequestFaults): void {
  const values: unknown[] = Object.values(params ?? {});
  if (values.some((value) => typeof value === 'string' && isUnstorable(value)))
    faults.add('the path contains an invalid character');
}

/** Separates the organization selection from the other fields, which the endpoint's own shape validates. */
function takeSelection(
  sent: Record<string, unknown>,
  allowed: SelectionFields,
  shapes: typeof selectionInQuery | typeof selectionInBody,
  faults: RequestFaults,
): { selection: ScopeSelection; rest: Record<string, unknown> } {
  const rest = { ...sent };
  const values: { org_id?: string; organization_ids?: string[] } = {};
  for (const [field, use] of Object.entries(allowed) as [SelectionField, SelectionUse][]) {
    if (!(field in rest)) continue;
    const value = { [field]: rest[field] };
    if (use === 'ignored') parse(ignoredSelection, value, faults);
    else Object.assign(values, parse<object>(shapes[field], value, faults));
    delete rest[field];
  }
  if ('organization_ids' in rest && allowed.organization_ids === undefined) {
    faults.add('organization_ids: accepted only from instance keys, and not by every endpoint');
    delete rest.organization_ids;
  }
  return { selection: { orgId: values.org_id, organizationIds: values.organization_ids }, rest };
}

/** The validated parts of a request, and the organizations that it selects. */
export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly selection: ScopeSelection;
}

const noFields = z.strictObject({});

/** The body; undefined if the endpoint has none. `wasAwaited` is true if the caller was still sending when reading started. */
export interface ReceivedBody {
  readonly bytes: Buffer | undefined;
  readonly wasAwaited: boolean;
}

function bodyShapeFor(endpoint: Endpoint, kind: KeyKind | undefined): z.ZodType | undefined {
  return (kind && endpoint.bodyByKind?.[kind]) ?? endpoint.body;
}

const emptyObject = Buffer.from('{}');

/** Reads the body if the endpoint has one; its content is validated later. */
export async function receiveBody(
  endpoint: Endpoint,
  body: RequestBody,
  kind?: KeyKind,
): Promise<ReceivedBody> {
  if (bodyShapeFor(endpoint, kind) === undefined) return { bytes: undefined, wasAwaited: false };
  if (endpoint.isBodyOptional && body.isAbsent) return { bytes: emptyObject, wasAwaited: false };
  body.checkMediaType(endpoint.bodyTypes ?? ['application/json']);
  const wasAwaited = !body.isComplete;
  const maxBytes = endpoint.audience === 'public' ? largeBodyBytes : defaultBodyBytes;
  return { bytes: await body.readWhole(endpoint.maxBodyBytes ?? maxBytes), wasAwaited };
}

const maxEntries = 20_000;
/** A less strict limit for parsing, because the depth is checked per item afterwards. */
const maxDepthWithItems = 1_000;

function readJson(endpoint: Endpoint, bytes: Buffer): unknown {
  checkJsonSize(bytes, {
    maxDepth: endpoint.checksTextPerItem ? maxDepthWithItems : maxJsonDepth,
    maxEntries: endpoint.maxBodyEntries ?? (endpoint.audience === 'operator' ? bytes.length : maxEntries),
  });
  const value = parseJson(bytes);
  // In UTF-8, unstorable characters can only be written as escapes.
  if (endpoint.checksTextPerItem || !bytes.includes('\\u')) return value;
  const fault = unstorableFault(value);
  if (fault !== undefined) throw new AppError('INVALID_REQUEST', fault);
  return value;
}

/** Checks the shape of path, query and body against the declaration; throws one INVALID_REQUEST with every fault. */
export function readInput(
  endpoint: Endpoint,
  request: { url: string; params: unknown },
  bytes: Buffer | undefined,
  caller?: { kind: KeyKind; access: KeyAccess },
): RequestInput {
  const faults = new RequestFaults();
  const fields = (place: 'query' | 'body') =>
    caller === undefined ? {} : selectionFields(caller.kind, caller.access, endpoint.method, place);
  checkPath(request.params, faults);
  const params = parse(endpoint.params ?? noFields, request.params ?? {}, faults);
  const inQuery = takeSelection(
    readQuery(request.url, endpoint.repeatable ?? [], faults),
    fields('query'),
    selectionInQuery,
    faults,
  );
  const query = parse(endpoint.query ?? noFields, inQuery.rest, faults);
  let { selection } = inQuery;
  let body: unknown;
  let namesEvery = false;
  const bodyShape = bodyShapeFor(endpoint, caller?.kind);
  if (bodyShape !== undefined && bytes !== undefined) {
    const sent = readJson(endpoint, bytes);
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
    const inBody =
      isObject && caller !== undefined
        ? takeSelection({ ...sent }, fields('body'), selectionInBody, faults)
        : undefined;
    body = parse(bodyShape, inBody?.rest ?? sent, faults);
    namesEvery = isObject && 'org_id' in sent && meansEveryOrganization(sent.org_id);
    if (inBody !== undefined && endpoint.method !== 'PUT') selection = inBody.selection;
    else if (inBody?.selection.orgId !== undefined) {
      if (selection.orgId !== undefined && selection.orgId !== inBody.selection.orgId)
        faults.add('org_id: the query and the body name different organizations');
      selection = inBody.selection;
    }
  }
  if (namesEvery && caller?.access.instance === 'home_one_or_every' && caller.kind !== 'instance') {
    faults.add('org_id: ALL is valid only with self-hosted instance keys');
  }
  faults.throwIfAny();
  return { params, query, body, selection };
}
