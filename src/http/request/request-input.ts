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

type SelectionField = keyof typeof selectionInQuery;

/** Which of `org_id` and `organization_ids` a kind of key may send in the query or in the body of an endpoint. */
export function selectionFields(
  kind: KeyKind,
  access: KeyAccess,
  method: string,
  place: 'query' | 'body',
): SelectionField[] {
  const takesBody = method === 'POST' || method === 'PATCH';
  // Only in the query of a PUT: its body may be a list, which has no place for a selection.
  const isRightPart = method === 'PUT' || (place === 'body') === takesBody;
  if (kind === 'workspace')
    return isRightPart && ['one', 'all_or_one'].includes(access.workspace) ? ['org_id'] : [];
  if (kind === 'instance') {
    if (access.instance === 'home_one_or_every') return isRightPart ? ['org_id'] : [];
    if (access.instance === 'all_or_selected' && isRightPart) return ['org_id', 'organization_ids'];
  }
  return ['org_id']; // accepted and ignored
}

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
  allowed: readonly SelectionField[],
  shapes: typeof selectionInQuery | typeof selectionInBody,
  faults: RequestFaults,
): { selection: ScopeSelection; rest: Record<string, unknown> } {
  const rest = { ...sent };
  const values: Partial<Record<SelectionField, unknown>> = {};
  for (const field of allowed) {
    if (!(field in rest)) continue;
    Object.assign(values, parse<object>(shapes[field], { [field]: rest[field] }, faults));
    delete rest[field];
  }
  if ('organization_ids' in rest && !allowed.includes('organization_ids')) {
    faults.add('organization_ids: accepted only from instance keys, and not by every endpoint');
    delete rest.organization_ids;
  }
  return {
    selection: {
      orgId: values.org_id as string | undefined,
      organizationIds: values.organization_ids as string[] | undefined,
    },
    rest,
  };
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
    caller === undefined ? [] : selectionFields(caller.kind, caller.access, endpoint.method, place);
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
  const bodyShape = bodyShapeFor(endpoint, caller?.kind);
  if (bodyShape !== undefined && bytes !== undefined) {
    const sent = readJson(endpoint, bytes);
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
    const inBody =
      isObject && caller !== undefined
        ? takeSelection({ ...sent }, fields('body'), selectionInBody, faults)
        : undefined;
    body = parse(bodyShape, inBody?.rest ?? sent, faults);
    if (inBody !== undefined && endpoint.method !== 'PUT') selection = inBody.selection;
    else if (inBody?.selection.orgId !== undefined) {
      if (selection.orgId !== undefined && selection.orgId !== inBody.selection.orgId)
        faults.add('org_id: the query and the body name different organizations');
      selection = inBody.selection;
    }
  }
  if (
    caller?.access.instance === 'home_one_or_every' &&
    caller.kind !== 'instance' &&
    meansEveryOrganization(selection.orgId)
  ) {
    faults.add('org_id: ALL is valid only with self-hosted instance keys');
  }
  faults.throwIfAny();
  return { params, query, body, selection };
}
