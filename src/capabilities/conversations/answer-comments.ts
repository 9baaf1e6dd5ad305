import { HostRefused } from '../connections/hosts/host.ts';
import { withHost } from '../connections/open-host.ts';
import { findServingConnection } from '../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';
import { findReviewed } from '../reviews/reviewed-pull-requests/find-reviewed.ts';
import { refOf } from '../reviews/reviewed-pull-requests/running/plan-run.ts';
import { listPostedFindings } from '../reviews/run-findings/list-posted-findings.ts';
import { answerQuestion } from './answers/answer-question.ts';
import { showPause } from './answers/show-pause.ts';
import { decideComment, decideOutsider } from './commands/decide-comment.ts';
import { findDeclined } from './commands/propose-learning.ts';
import { type Decided, findAddressed, updateAddressed } from './comment-store.ts';
import { writeAnswerMarker } from './comments/answer-marker.ts';
import { findSpeaker } from './comments/find-speaker.ts';
import { readAddress } from './comments/read-address.ts';
import { readConversation, type SaidComment } from './comments/said-comment.ts';
import type { ConversationDeps, Scene } from './conversation-deps.ts';

/** Older comments are ignored; sweeps look back as far. */
const maxAgeMs = 14 * 24 * 60 * 60 * 1000;

/**
 * Answers the comments for the account on a pull request. Can run at any time, be interrupted anywhere and run again: each
 * comment is decided once, and an answer is looked for at the host before it is posted (ADR 0101).
 */
export async function answerComments(
  deps: ConversationDeps,
  key: PullRequestKey,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  const pull = await findReviewed(sql, key);
  if (served === undefined || served.connection.review === 'off' || pull === undefined) return;
  await withHost(deps, served.connection.id, async (host) => {
    const since = new Date(deps.clock().getTime() - maxAgeMs);
    const conversation = await readConversation(host, refOf(served), key.number, since);
    const posted = await listPostedFindings(sql, key);
    const scene: Scene = { key, pull, served, host, conversation, posted, signal };
    const decided: Decided = await findAddressed(sql, key);
    for (const said of conversation.said) {
      if (!decided.has(said.key)) await decideNew(deps, scene, decided, said);
      await postAnswer(deps, scene, decided, said);
    }
    await dropDeleted(deps, scene, decided);
  });
  deps.queue.wake(deps.runUnit.name);
  deps.queue.wake(deps.reportUnit.name);
  deps.queue.wake(deps.checking.unit.name);
}

/** Decides about a comment for the account that has not been decided yet. */
async function decideNew(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
): Promise<void> {
  const { connection } = scene.served;
  const address = readAddress(said.comment.body, connection.account.username);
  if (address === null && findDeclined(scene, said) === undefined) return;
  const role = await findSpeaker(deps.database.sql, scene.key.organizationId, connection, said);
  if (role === 'member') return decideComment(deps, scene, decided, said, address);
  const isAsked = address !== null && (address.commands.length > 0 || address.isQuestion);
  if (isAsked) await decideOutsider(deps, scene, decided, said, role);
}

/** Posts the answer to a comment, unless the host has it already. */
async function postAnswer(
  deps: ConversationDeps,
  scene: Scene,
  decided: Decided,
  said: SaidComment,
): Promise<void> {
  const { database, clock } = deps;
  const { key, served, host, conversation, signal } = scene;
  const found = decided.get(said.key);
  if (found?.state !== 'pending') return;
  let { answer } = found;
  if (!conversation.answered.has(said.key)) {
    if (answer === null) {
      answer = await answerQuestion(deps, scene, said);
      await updateAddressed(database.sql, key, said.key, { state: 'pending', answer }, clock());
    }
    if (found.kind === 'command') await showPause(deps, scene);
    signal.throwIfAborted();
    const text = `${writeAnswerMarker(said.key)}\n\n${answer}`;
    try {
      if (said.thread === null) await host.writeComment(refOf(served), key.number, text);
      else await host.reply(refOf(served), key.number, said.thread, text);
    } catch (error) {
      // The conversation was locked, or the comment was deleted, so no answer is possible.
      if (!(error instanceof HostRefused) || error.status === 401) throw error;
      await updateAddressed(database.sql, key, said.key, { state: 'silent', answer }, clock());
      decided.set(said.key, { ...found, answer, state: 'silent' });
      return;
    }
  }
  await updateAddressed(database.sql, key, said.key, { state: 'answered', answer }, clock());
  decided.set(said.key, { ...found, answer, state: 'answered' });
}

/** Drops comments that were deleted before they were answered. */
async function dropDeleted(
  { database, clock }: ConversationDeps,
  { key }: Scene,
  decided: Decided,
): Promise<void> {
  for (const { key: commentKey, state, answer } of decided.values())
    if (state === 'pending')
      await updateAddressed(database.sql, key, commentKey, { state: 'silent', answer }, clock());
}
