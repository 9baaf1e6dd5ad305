import type { Tx } from '../../../db/database.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { noteActivities } from '../../people/seats/assign-seats-to-authors.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import { roomForAnswer } from '../answer-limits.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import {
  type AddressedComment,
  type AddressKind,
  type Decided,
  insertAddressed,
  updateAddressed,
} from '../comment-store.ts';
import type { Address } from '../comments/read-address.ts';
import type { SaidComment } from '../comments/said-comment.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { type Done, type Order, unchanged } from './carry-out.ts';
import { prepareCommands } from './prepare-commands.ts';
import { proposeLearning } from './propose-learning.ts';

interface Decision {
  readonly kind: AddressKind;
  /** Creates the answer; null if it is computed later, absent if there is none. */
  readonly reply?: ((tx: Tx) => Promise<Done>) | null;
}

/**
 * Decides once how a comment is answered. Commands are carried out in the transaction that stores their answer, so that no
 * command is carried out twice or without an answer.
 */
export async function decideComment(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
  address: Address | null,
): Promise<void> {
  const now = deps.clock();
  const hasSeat = await noteTag(deps, scene, said, address);
  const isRepeated = scene.conversation.answered.has(said.key);
  const room = roomForAnswer(decided.values(), said.thread?.id ?? null, now);
  if (room === 'none') return store(deps, scene, decided, said, { kind: 'over_limit' }, now);
  const order = { said, hasSeat, isRepeated, now };
  const decision = await decide(deps, scene, decided, order, address);
  await store(deps, scene, decided, said, decision, now, room === 'last' ? [answerTexts.lastAnswer] : []);
}

/** An outsider gets one sentence, once per pull request; a bot gets none, even if it turns out to be a person later. */
export async function decideOutsider(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
  role: 'stranger' | 'program',
): Promise<void> {
  const decision = role === 'program' ? { kind: role } : once(decided, role, answerTexts.stranger);
  await store(deps, scene, decided, said, decision, deps.clock());
}

function once(decided: Decided, kind: AddressKind, answer: string): Decision {
  const isSaid = [...decided.values()].some((one) => one.kind === kind && one.state !== 'silent');
  return isSaid ? { kind } : { kind, reply: async () => unchanged(answer) };
}

/**
 * Records the author's activity, which assigns a seat if the organization does so automatically; returns whether they have
 * one.
 */
async function noteTag(
  { database, clock }: ConversationDeps,
  { key: { organizationId } }: Scene,
  { author, comment }: SaidComment,
  address: Address | null,
): Promise<boolean> {
  if (address !== null) {
    const activity = { organizationId, userId: author.id, time: comment.createdAt };
    await database.transaction((tx) => noteActivities(tx, [activity], clock()));
  }
  return (await findMembership(database.sql, organizationId, author.id))?.hasSeat === true;
}

async function decide(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  order: Order,
  address: Address | null,
): Promise<Decision> {
  if (address !== null && address.commands.length > 0)
    return { kind: 'command', reply: await prepareCommands(deps, scene, order, address.commands) };
  const refusal = await proposeLearning(deps, scene, decided, order.said);
  if (refusal !== undefined)
    return { kind: 'wont_fix', ...(refusal !== null && { reply: async () => unchanged(refusal) }) };
  if (address?.isQuestion !== true) return { kind: 'unknown' };
  if (deps.model?.ask === undefined) return once(decided, 'unknown', answerTexts.noModel);
  return order.hasSeat
    ? { kind: 'question', reply: null }
    : { kind: 'question', reply: async () => unchanged(answerTexts.noSeat) };
}

async function store(
  { database }: ConversationDeps,
  { key, conversation }: Scene,
  decided: Decided,
  { key: commentKey, author, thread }: SaidComment,
  { kind, reply }: Decision,
  now: Date,
  closing: readonly string[] = [],
): Promise<void> {
  const isAnswered = conversation.answered.has(commentKey);
  const row: AddressedComment = {
    key: commentKey,
    threadId: thread?.id ?? null,
    authorId: author.id,
    kind,
    state: isAnswered ? 'answered' : reply === undefined ? 'silent' : 'pending',
    answer: null,
    decidedAt: now,
  };
  const actor = {
    type: 'user',
    id: author.id,
    name: author.username,
    subtitle: 'Comment on a pull request',
    isBot: false,
  } as const;
  const answer = await database.transaction(async (tx) => {
    if (!(await insertAddressed(tx, key, row)) || reply == null) return null;
    const done = await reply(tx);
    const text = [done.answer, ...closing].join('\n\n');
    await updateAddressed(tx, key, commentKey, { state: row.state, answer: text }, now);
    await recordChanges(tx, { actor, now }, done.changes);
    return text;
  });
  decided.set(commentKey, { ...row, answer });
}
