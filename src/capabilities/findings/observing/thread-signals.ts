import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { HostComment, HostThread } from '../../connections/hosts/review-host.ts';
import { classifyReply } from '../comments/classify-reply.ts';
import type { Signal, SignalActor } from '../signals/signal.ts';

const maxQuoteLength = 300;

/** The participants of a pull request: whose words count, and who is a bot. */
export interface Participants {
  /** Members of the organization, and the author. */
  readonly mayAnswer: (userId: string) => boolean;
  readonly isBot: (userId: string, username: string) => boolean;
}

/** The signals in the conversation about a finding: the state of the thread, replies, and reactions. */
export function threadSignals(
  thread: HostThread,
  known: readonly Signal[],
  { mayAnswer, isBot }: Participants,
  now: Date,
): Signal[] {
  const [root, ...replies] = thread.comments;
  const actorOf = ({ id, username }: { id: string; username: string }): SignalActor => ({
    id,
    name: username,
    isBot: isBot(id, username),
  });
  const said = replies.flatMap((comment): Signal[] => {
    const { author } = comment;
    if (comment.isOwn || author === null || !mayAnswer(author.id)) return [];
    const meaning = classifyReply(comment.body);
    const before = known.filter(({ evidence }) => (evidence.comment ?? evidence.id) === comment.id);
    const last = before.reduce<Signal | undefined>((a, b) => (a && editOf(a) > editOf(b) ? a : b), undefined);
    const told = last === undefined || last.evidence.withdrawn === true ? null : last.signal;
    const now = meaning === null ? null : meaning === 'fixed' ? 'reply_fixed' : 'reply_wont_fix';
    if (now === told) return [];
    const edit = last === undefined ? 0 : editOf(last) + 1;
    return [
      {
        signal: now ?? last!.signal,
        source: 'host',
        at: comment.createdAt,
        actor: { ...actorOf(author), isBot: author.isBot || isBot(author.id, author.username) },
        evidence: {
          id: edit === 0 ? comment.id : `${comment.id} edit ${edit}`,
          url: comment.url,
          text: quoteOf(comment),
          ...(edit > 0 && { comment: comment.id, edit, withdrawn: now === null }),
        },
      },
    ];
  });
  return [
    ...said,
    ...stateSignals(thread, known, actorOf, now),
    ...appliedSignals(thread, now),
    ...reactionSignals(root!, now),
  ];
}

/** How often the meaning of a reply had changed when it was read. */
const editOf = ({ evidence }: Signal) => (typeof evidence.edit === 'number' ? evidence.edit : 0);

/** Some hosts report that a suggestion was applied, but not by whom. */
function appliedSignals({ id, isSuggestionApplied, comments: [root] }: HostThread, at: Date): Signal[] {
  if (isSuggestionApplied !== true) return [];
  const evidence = { id: `${id} applied`, url: root!.url };
  return [{ signal: 'suggestion_applied', source: 'host', at, actor: null, evidence }];
}

/** Hosts report the state of a thread, but not when it changed, so it is recorded when it differs from the known one. */
function stateSignals(
  thread: HostThread,
  known: readonly Signal[],
  actorOf: (account: { id: string; username: string }) => SignalActor,
  at: Date,
): Signal[] {
  const [last] = known
    .filter(({ signal }) => signal === 'thread_resolved' || signal === 'thread_reopened')
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  const wasResolved = last?.signal === 'thread_resolved';
  if (thread.isResolved === wasResolved) return [];
  const actor = thread.resolvedBy === null ? null : actorOf(thread.resolvedBy);
  const later = new Date(Math.max(at.getTime(), (last?.at.getTime() ?? 0) + 1));
  return [
    {
      signal: thread.isResolved ? 'thread_resolved' : 'thread_reopened',
      source: 'host',
      at: later,
      actor,
      evidence: { thread: thread.id, url: thread.comments[0]!.url },
    },
  ];
}

function reactionSignals(root: HostComment, at: Date): Signal[] {
  return Object.entries(root.reactions ?? {})
    .filter(([, count]) => count > 0)
    .map(([reaction, count]) => ({
      signal: 'reaction',
      source: 'host',
      at,
      actor: null,
      evidence: { id: `${root.id} ${reaction} ${count}`, url: root.url, reaction, count },
    }));
}

function quoteOf({ body }: HostComment): string {
  return redactCredentials(body.slice(0, 4 * maxQuoteLength)).slice(0, maxQuoteLength);
}
