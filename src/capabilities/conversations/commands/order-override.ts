import type { Tx } from '../../../db/database.ts';
import { listCheckNames } from '../../reviews/checks/list-check-names.ts';
import {
  mayOverride,
  type OverrideRequest,
  overrideCheck,
} from '../../reviews/checks/overrides/override-check.ts';
import { CommitGone } from '../../reviews/mirror/pull-request-commits.ts';
import { asCode } from '../../reviews/publishing/safe-text.ts';
import { answerTexts } from '../answers/answer-texts.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { type Done, type Order, unchanged } from './carry-out.ts';

const maxReason = 500;
const maxNamed = 20;
/** The tolerated difference between the clocks of a host and of this server. */
const clockToleranceMs = 60_000;

const refusals = {
  ended: (state: string) => `This pull request is ${state}.`,
  edited:
    'Your comment was edited, and I cannot tell by whom. Say it in a new comment if it is what you mean.',
  olderThanHead: 'There was another commit after your comment. Say it again if you mean that one, too.',
  forbidden: 'Only admins of this organization may do that.',
  moved: 'At the same moment, there was another commit, or the pull request was closed.',
  noChecks: 'No checks are configured for this pull request.',
  unknown: (names: readonly string[]) =>
    `Say which check it is, after ${asCode('override')}: ${names.slice(0, maxNamed).map(asCode).join(', ')}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}.`,
  noReason: (check: string) => `Say why, after ${asCode(check)}.`,
  longReason: `The reason may have at most ${maxReason} characters.`,
} as const;

const refused = (reason: string) => async () => unchanged(answerTexts.notOverridden(reason));

/** Lets a check count as passed for the version that the comment's author can have seen, or returns why not. */
export async function orderOverride(
  deps: ConversationDeps,
  scene: Scene,
  order: Order,
  text: string,
): Promise<(tx: Tx) => Promise<Done>> {
  const { key, pull } = scene;
  const { comment, author } = order.said;
  // The version that the repeated command was about is no longer known.
  if (order.isRepeated) return async () => unchanged(answerTexts.answeredBefore);
  if (pull.state !== 'open') return refused(refusals.ended(pull.state));
  if (comment.isEdited === true) return refused(refusals.edited);
  const actor = { id: author.id, name: author.username };
  if (!(await mayOverride(deps.database.sql, key, actor))) return refused(refusals.forbidden);
  const writtenMs = comment.createdAt.getTime() + clockToleranceMs;
  if (pull.headSeenAt !== null && writtenMs < pull.headSeenAt.getTime())
    return refused(refusals.olderThanHead);
  const names = await findNames(deps, scene);
  if (names === null) return refused(answerTexts.commitsGone);
  if (names.length === 0) return refused(refusals.noChecks);
  const [said = '', given = ''] = splitName(text);
  const check = names.find((name) => name === said.toLowerCase());
  if (check === undefined) return refused(refusals.unknown(names));
  const reason = given.replaceAll(/\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(reason)) return refused(refusals.noReason(check));
  if (reason.length > maxReason) return refused(refusals.longReason);
  return (tx) => carryOut(tx, deps, scene, order, { check, reason, actor });
}

async function carryOut(
  tx: Tx,
  deps: ConversationDeps,
  { key, pull, served }: Scene,
  { said: { comment }, now }: Order,
  decided: Pick<OverrideRequest, 'check' | 'reason' | 'actor'>,
): Promise<Done> {
  const { check } = decided;
  const request = { ...decided, commentUrl: comment.url, head: pull.head };
  const outcome = await overrideCheck(tx, key, served.repository, request, now);
  switch (outcome.kind) {
    case 'known':
      return unchanged(answerTexts.overriddenAlready(check, outcome.by));
    case 'done':
      await deps.checking.requestIn(tx, key);
      return { answer: answerTexts.overridden(check, pull.head), changes: [outcome.change] };
    default:
      return unchanged(answerTexts.notOverridden(refusals[outcome.kind]));
  }
}

/** Null if the commits are gone from the host. */
async function findNames(deps: ConversationDeps, scene: Scene): Promise<string[] | null> {
  try {
    return await listCheckNames(deps, scene);
  } catch (error) {
    if (error instanceof CommitGone) return null;
    throw error;
  }
}

/** The first word, without quotation marks or other decoration, and the text after it. */
function splitName(text: string): string[] {
  return /^[\s`'"*]*([^\s`'"*:,]*)[`'"*:,]*([\s\S]*)$/.exec(text)?.slice(1) ?? [];
}
