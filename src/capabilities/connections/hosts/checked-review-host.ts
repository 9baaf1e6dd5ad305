import { z } from 'zod';
import { httpUrl } from '../../../lib/wire/wire.ts';
import { type AnswerChecks, id, reviewComment } from './check-answers.ts';
import type { ReviewHost } from './review-host.ts';

const person = z.object({ id, username: z.string() });
const comment = reviewComment.extend({
  isOwn: z.boolean(),
  reactions: z.record(z.string(), z.int()).nullable(),
  isEdited: z.boolean().optional(),
});
const threadId = z.string().min(1).max(200);
const threads = z.array(
  z.object({
    id: threadId,
    path: z.string(),
    side: z.enum(['new', 'old']),
    line: z.int().nullable(),
    startLine: z.int().nullable().optional(),
    begun: z
      .object({ revision: z.string(), startLine: z.int().nullable(), line: z.int().nullable() })
      .optional(),
    isPlacedInHead: z.boolean().optional(),
    isResolved: z.boolean(),
    resolvedBy: person.nullable(),
    isSuggestionApplied: z.boolean().optional(),
    comments: z.array(comment).min(1),
  }),
);
const posted = z.object({ id, url: httpUrl });
const review = z.object({
  posted: z.array(z.object({ key: z.string(), commentId: id, threadId, url: httpUrl })),
  refused: z.array(z.object({ key: z.string(), reason: z.string() })),
});

/** The writing side of a host whose answers are checked. */
export function checkedReviewHost(host: ReviewHost, checks: AnswerChecks): ReviewHost {
  const { guard, checkOne, checkWritten, checkEachWritten } = checks;
  return {
    cloneSource: (...given) => guard('its address for Git', () => host.cloneSource(...given)),
    readThreads: (...given) => checkWritten('its threads', threads, () => host.readThreads(...given)),
    listConversation: (...given) =>
      checkEachWritten('its comments', comment, host.listConversation(...given)),
    suggestionBlock: (...given) => host.suggestionBlock(...given),
    publishReview: (...given) => checkOne('a new review', review, () => host.publishReview(...given)),
    writeComment: (...given) => checkOne('a new comment', posted, () => host.writeComment(...given)),
    editComment: (...given) =>
      checkOne('an edited comment', posted.nullable(), () => host.editComment(...given)),
    reply: (...given) => checkOne('a new reply', posted, () => host.reply(...given)),
    resolve: (...given) => guard('a resolved thread', () => host.resolve(...given)),
    setStatus: (...given) => guard('a commit status', () => host.setStatus(...given)),
    mayPush: (...given) => guard('the rights of an account', () => host.mayPush(...given)),
    isProtected: (...given) => guard('the protection of a branch', () => host.isProtected(...given)),
    commitAddress: (...given) => host.commitAddress(...given),
  };
}
