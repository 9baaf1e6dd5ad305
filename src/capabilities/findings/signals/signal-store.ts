import { hash } from 'node:crypto';
import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { Signal } from './signal.ts';

/** Identifies a finding and what it belongs to: `pull/<number>`, or `run/<id>` for a diff that was sent. */
export interface FindingKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly subject: string;
  readonly findingId: string;
}

export const subjectOfPull = (number: number) => `pull/${number}`;
export const subjectOfRun = (runId: string) => `run/${runId}`;

interface SignalRow extends Pick<Signal, 'signal' | 'source' | 'at' | 'evidence'> {
  readonly digest: Buffer;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly actor_is_bot: boolean | null;
}

function signalOf({ signal, source, at, evidence, ...row }: SignalRow): Signal {
  const actor =
    row.actor_name === null
      ? null
      : { id: row.actor_id, name: row.actor_name, isBot: row.actor_is_bot === true };
  return { signal, source, at, actor, evidence };
}

/**
 * The digest by which equal signals are recognized. Observations of the code are the same whenever they are made; words and
 * actions of people are distinguished by their time.
 */
function digestOf({ signal, source, at, actor, evidence }: Signal): Buffer {
  const isOfCode = source === 'git' || source === 'rule' || source === 'model';
  const moment = isOfCode || evidence.id !== undefined ? null : at.toISOString();
  const fact = evidence.id ?? (isOfCode ? [evidence.head, evidence.posted, evidence.still_raised] : evidence);
  return hash('sha256', JSON.stringify([signal, source, moment, actor?.id, fact]), 'buffer');
}

/** Adds signals that are not stored yet. */
export async function appendSignals(tx: Tx, key: FindingKey, signals: readonly Signal[]): Promise<void> {
  if (signals.length === 0) return;
  const rows = signals.map((signal) => ({
    ...signal,
    digest: digestOf(signal).toString('hex'),
    actor_id: signal.actor?.id ?? null,
    actor_name: signal.actor?.name ?? null,
    actor_is_bot: signal.actor?.isBot ?? null,
  }));
  await tx`
    INSERT INTO finding_signals (organization_id, repository_id, subject, finding_id, digest, signal, source, at, actor_id,
      actor_name, actor_is_bot, evidence)
    SELECT ${key.organizationId}, ${key.repositoryId}, ${key.subject}, ${key.findingId}, decode(s.digest, 'hex'), s.signal, s.source,
      s.at, s.actor_id, s.actor_name, s.actor_is_bot, s.evidence
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS s (digest text, signal text, source text, at timestamptz,
      actor_id text, actor_name text, actor_is_bot boolean, evidence jsonb)
    ON CONFLICT DO NOTHING`;
}

/** All signals about a finding. */
export async function findSignals(db: Db, key: FindingKey): Promise<Signal[]> {
  const rows = await db<SignalRow[]>`
    SELECT digest, signal, source, at, actor_id, actor_name, actor_is_bot, evidence FROM finding_signals
    WHERE organization_id = ${key.organizationId} AND repository_id = ${key.repositoryId} AND subject = ${key.subject}
      AND finding_id = ${key.findingId}`;
  return rows.map(signalOf);
}

export interface SignalPosition {
  readonly at: string;
  readonly digest: string;
}

/** A page of it, newest first. */
export async function findNewestSignals(
  db: Db,
  key: FindingKey,
  after: SignalPosition | undefined,
  limit: number,
): Promise<{ signal: Signal; position: SignalPosition }[]> {
  const rows = await db<SignalRow[]>`
    SELECT digest, signal, source, at, actor_id, actor_name, actor_is_bot, evidence FROM finding_signals
    WHERE organization_id = ${key.organizationId} AND repository_id = ${key.repositoryId} AND subject = ${key.subject}
      AND finding_id = ${key.findingId}
      ${after === undefined ? db`` : db`AND (at, digest) < (${after.at}::timestamptz, decode(${after.digest}, 'hex'))`}
    ORDER BY at DESC, digest DESC LIMIT ${limit}`;
  return rows.map((row) => ({
    signal: signalOf(row),
    position: { at: row.at.toISOString(), digest: row.digest.toString('hex') },
  }));
}
