import { z } from 'zod';
import { must } from '../../../lib/wire/own-checks.ts';
import { isUnstorable } from '../../../lib/wire/unstorable-text.ts';
import { httpUrl } from '../../../lib/wire/wire.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { outboundTo } from '../../../outbound/outbound-to.ts';
import { type AnswerChecks, answerChecks, id, reviewComment, user } from './check-answers.ts';
import { checkedReviewHost } from './checked-review-host.ts';
import type { AppCreation, Host, HostKind } from './host.ts';

const storable = z
  .string()
  .check(must((text) => !isUnstorable(text), 'contains a character that cannot be stored'));
const state = z.enum(['open', 'merged', 'closed']);

const account = z.object({
  id: z.string().regex(/^(app:)?[1-9]\d{0,19}$/),
  username: storable.min(1).max(255),
});
const organization = z.object({ id, name: z.string() });
const repository = z.object({
  id,
  name: z.string(),
  fullName: z.string(),
  isPrivate: z.boolean(),
  isArchived: z.boolean(),
  readers: z.union([z.literal('members'), z.array(id)]),
});
const member = user.extend({ email: z.string().nullable(), isOwner: z.boolean() });
const team = z.object({
  id,
  name: z.string(),
  members: z.array(z.object({ id, username: z.string() })),
});
const count = z.int().min(0).max(2_147_483_647).nullable();
const listedPullRequest = z.object({
  number: z.int(),
  state,
  updatedAt: z.date(),
  endedAt: z.date().nullable(),
});
const pullRequest = z.object({
  number: z.int(),
  url: httpUrl,
  state,
  isDraft: z.boolean(),
  title: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  author: user.nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  readyForReviewAt: z.date().nullable(),
  firstHumanReviewAt: z.date().nullable(),
  lastCommitAt: z.date().nullable(),
  mergedAt: z.date().nullable(),
  closedAt: z.date().nullable(),
  reviewIterations: z.int().nullable(),
  asked: z.object({ users: z.array(id), teams: z.array(id) }),
  reviewedBy: z.array(id),
  size: z.object({ added: count, removed: count, files: count }),
  head: z.object({ sha: z.string(), ref: z.string(), isFork: z.boolean() }),
  base: z.object({ sha: z.string(), ref: z.string() }),
});
const linkedIssues = z.array(z.object({ reference: z.string().min(1).max(500), isHere: z.boolean() }));
const approvals = z.array(z.object({ id, username: z.string() }));
const createdApp = z.object({
  credentials: z.object({ app_id: id, private_key: z.string() }),
  webhookSecret: z.string(),
  installUrl: z.string(),
});

const maxNameLength = 255;

function isName(text: string): boolean {
  return text.trim() !== '' && text.length <= maxNameLength && !isUnstorable(text);
}

/**
 * Removes duplicates from a list, because pages shift when something is added while they are read, and skips items whose
 * name cannot be stored, so that these do not stop the others.
 */
async function* takeable<Item extends { readonly id: string }>(
  items: AsyncIterable<Item>,
  nameOf: (item: Item) => string,
): AsyncGenerator<Item> {
  const seen = new Set<string>();
  for await (const item of items) {
    if (seen.has(item.id) || !isName(nameOf(item))) continue;
    seen.add(item.id);
    yield item;
  }
}

/** A host whose answers are checked: whatever it sends, callers get what the types promise, or a fault of the host. */
function checkedHost(host: Host, checks: AnswerChecks): Host {
  const { guard, checkOne, checkEach, checkWritten, checkEachWritten } = checks;
  return {
    ...checkedReviewHost(host, checks),
    describeAccount: () => checkOne('its account', account, () => host.describeAccount()),
    listOrganizations: () =>
      takeable(checkEach('its organizations', organization, host.listOrganizations()), ({ name }) => name),
    listRepositories: (of) =>
      takeable(
        checkEach('its repositories', repository, host.listRepositories(of)),
        ({ fullName }) => fullName,
      ),
    listMembers: (of) =>
      takeable(checkEach('its members', member, host.listMembers(of)), ({ username }) => username),
    listTeams: (of) => takeable(checkEachWritten('its teams', team, host.listTeams(of)), ({ name }) => name),
    readPullRequest: (...given) =>
      checkWritten('a pull request', pullRequest.nullable(), () => host.readPullRequest(...given)),
    readApprovals: (of, number) => checkOne('its approvals', approvals, () => host.readApprovals(of, number)),
    hasIssue: (...given) => checkOne('an issue', z.boolean(), () => host.hasIssue(...given)),
    listLinkedIssues: (...given) =>
      checkWritten('its issues', linkedIssues, () => host.listLinkedIssues(...given)),
    listChanged: (of, since) =>
      checkEach('its pull requests', listedPullRequest, host.listChanged(of, since)),
    listOpen: (of) => checkEach('its pull requests', listedPullRequest, host.listOpen(of)),
    listReviewComments: (of, number) =>
      checkEachWritten('its review comments', reviewComment, host.listReviewComments(of, number)),
    registerWebhook: (...given) => guard('its webhooks', () => host.registerWebhook(...given)),
    removeWebhook: (...given) => guard('its webhooks', () => host.removeWebhook(...given)),
    check: (...given) => guard('its repositories or webhooks', () => host.check(...given)),
    readClock: () => guard('its time', () => host.readClock()),
  };
}

const checksAt = (url: string) => answerChecks(new URL(url).host);

/** Restricts a connection's calls to the origin of the host's API, whatever URLs the host's answers contain. */
function confined<Given extends { readonly url: string; readonly outbound: Outbound }>(
  { apiUrl }: HostKind,
  given: Given,
): Given {
  return { ...given, outbound: outboundTo(given.outbound, new URL(apiUrl(given.url)).origin) };
}

function checkedCreation(kind: HostKind, { formOf, redeem }: AppCreation): AppCreation {
  return {
    formOf,
    redeem: (given) =>
      checksAt(given.url).checkOne('the new app', createdApp, () => redeem(confined(kind, given))),
  };
}

/** A kind of host whose answers are checked. */
export function checkedKind(kind: HostKind): HostKind {
  return {
    ...kind,
    appCreation: kind.appCreation && checkedCreation(kind, kind.appCreation),
    connect: async (connection) =>
      checkedHost(await kind.connect(confined(kind, connection)), checksAt(connection.url)),
  };
}
