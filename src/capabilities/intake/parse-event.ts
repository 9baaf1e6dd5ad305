import { hash } from 'node:crypto';
import { z } from 'zod';
import type { EventSource, ReportedTenant } from '../../access/authenticate-source.ts';
import { providers } from '../../lib/ids.ts';
import { compiledOnUse } from '../../lib/wire/compiled-on-use.ts';
import { faultsOf } from '../../lib/wire/faults.ts';
import { onSound } from '../../lib/wire/own-checks.ts';
import { unstorableFault } from '../../lib/wire/unstorable-text.ts';
import { instant, providerId } from '../../lib/wire/wire.ts';
import type { EventFailure, EventType } from './event-type.ts';
import type { RawValue } from './read-events.ts';

const extensionName = /^[a-z0-9]{1,20}$/;

const envelope = compiledOnUse(
  z
    .looseObject({
      specversion: z.literal('1.0'),
      id: z.string().min(1).max(1024),
      source: z.string().min(1).max(2048),
      type: z.string().min(1).max(255),
      time: instant,
      datacontenttype: z.literal('application/json').optional(),
      dataschema: z.string().optional(),
      subject: z.string().optional(),
      data: z.looseObject({}),
    })
    .check(
      onSound((context) => {
        for (const name of Object.keys(context.value)) {
          if (!extensionName.test(name)) {
            context.issues.push({ code: 'unrecognized_keys', keys: [name], input: context.value, path: [] });
          }
        }
      }),
    ),
);

const tenant = compiledOnUse(
  z.object({
    provider: z.enum(providers),
    org_id: providerId,
    instance: z.string().min(1).nullish(),
  }),
);

/** An event that matches its schema; its organization and repository have not been looked up yet. */
export interface ParsedEvent {
  readonly index: number;
  readonly id: string;
  readonly source: string;
  readonly time: Date;
  readonly type: EventType;
  readonly tenant: ReportedTenant;
  readonly repositoryId: string | null;
  readonly data: unknown;
  /** Identifies source and id together, among the events of one sender. */
  readonly digest: string;
  /** Made by this server itself; what comes from outside never is, whatever its `source`. */
  readonly isOwn?: boolean;
}

export type FailedEvent = EventFailure & { readonly id: string | null };

/** Both are chosen by the sender, who must not be able to use up those of others: event sources have theirs apart. */
function digestOf(source: string, id: string, sender: EventSource | undefined): string {
  const identity = sender === undefined ? [source, id] : [sender.id, source, id];
  const hex = hash('sha256', JSON.stringify(identity), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

function fail(index: number, value: unknown, message: string): FailedEvent {
  const id =
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? value.id
      : null;
  return { index, id, code: 'INVALID_REQUEST', message };
}

/** The one unknown field that schemas drop silently instead of rejecting it. */
const silentlyDropped = '__proto__';

/** More fields than any schema has; they would take seconds to reject one by one. */
const maxFields = 1000;

/** Whether an object of the event, outside its loose field, has far more fields than any schema. */
function hasTooManyFields(event: Record<string, unknown>, loose: unknown): boolean {
  const open: unknown[] = [event];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || value === loose) continue;
    const inner = Object.values(value);
    if (inner.length > maxFields && !Array.isArray(value)) return true;
    for (const item of inner) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return false;
}

function looseFieldOf(types: ReadonlyMap<string, EventType>, event: Record<string, unknown>): unknown {
  const field = typeof event.type === 'string' ? types.get(event.type)?.looseField : undefined;
  return field !== undefined && isRecord(event.data) ? event.data[field] : undefined;
}

/** The event without its loose field. */
function withoutLooseField(types: ReadonlyMap<string, EventType>, value: unknown): unknown {
  if (!isRecord(value) || typeof value.type !== 'string' || !isRecord(value.data)) return value;
  const field = types.get(value.type)?.looseField;
  if (field === undefined) return value;
  const { [field]: _loose, ...data } = value.data;
  return { ...value, data };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks one event against the envelope, what its sender may report, and its type. */
export function parseEvent(
  types: ReadonlyMap<string, EventType>,
  value: unknown,
  index: number,
  { hasEscapes, isLarge }: Pick<RawValue, 'hasEscapes' | 'isLarge'>,
  sender?: EventSource,
): ParsedEvent | FailedEvent {
  if (!isRecord(value)) return fail(index, value, 'An event must be an object');
  if (isLarge && hasTooManyFields(value, looseFieldOf(types, value)))
    return fail(index, value, `an object has more than ${maxFields} fields`);
  const strict = withoutLooseField(types, value);
  const unstorable = hasEscapes ? unstorableFault(strict) : undefined;
  if (unstorable !== undefined) return fail(index, value, unstorable);
  const event = envelope().safeParse(value);
  if (!event.success) return fail(index, value, faultsOf(event.error).join('; '));
  for (const [object, path] of [
    [value, ''],
    [(value as { data: unknown }).data, 'data.'],
  ] as const)
    if (Object.hasOwn(object as object, silentlyDropped))
      return fail(index, value, `${path}${silentlyDropped}: unknown field`);
  const forbid = (message: string): FailedEvent => ({ index, id: event.data.id, code: 'FORBIDDEN', message });
  if (sender !== undefined && !sender.types.has(event.data.type))
    return forbid('type: this event source may not report events of this type');
  const type = types.get(event.data.type);
  if (type === undefined) return fail(index, value, `type: unknown event type ${event.data.type}`);
  // Data that is prepared later may have any form, so its schema does not limit how deeply it is nested.
  const nested = type.prepare !== undefined && !hasEscapes ? unstorableFault(strict) : undefined;
  if (nested !== undefined) return fail(index, value, nested);
  const location = tenant().safeParse(event.data.data);
  if (!location.success) return fail(index, value, faultsOf(location.error, 'data').join('; '));
  const { provider, org_id, instance, ...own } = event.data.data;
  const reported = {
    provider: location.data.provider,
    orgId: location.data.org_id,
    instance: location.data.instance ?? null,
  };
  // Alike for organizations that exist and those that do not: a sender learns nothing of others.
  if (sender !== undefined && !sender.mayReportFor(reported))
    return forbid('data.org_id: this event source may not report for this organization');
  const data = type.data.safeParse(own);
  if (!data.success) return fail(index, value, faultsOf(data.error, 'data').join('; '));
  return {
    index,
    id: event.data.id,
    source: event.data.source,
    time: event.data.time,
    type,
    tenant: reported,
    repositoryId: type.hasRepository ? String(own.repository_id) : null,
    data: data.data,
    digest: digestOf(event.data.source, event.data.id, sender),
  };
}
