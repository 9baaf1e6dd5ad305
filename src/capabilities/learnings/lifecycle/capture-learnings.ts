import { z } from 'zod';
import { systemActor } from '../../../access/actor.ts';
import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { providerId } from '../../../lib/wire/wire.ts';
import { REDACTOR_VERSION } from '../../../redaction/redact-credentials.ts';
import { eventType, type ReceivedEvent } from '../../intake/event-type.ts';
import { findPullRequestStates } from '../../pull-requests/pull-request-state.ts';
import { learningChange } from '../learning-audit.ts';
import { contentHash } from '../learning-id.ts';
import { capturedState, type PullRequestFact, recapturedState } from '../learning-lifecycle.ts';
import {
  type ContentKey,
  contentKey,
  type LearningState,
  type NewLearning,
  repositoryKey,
} from '../learning-record.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findByContent } from '../store.ts';
import { findFreeIds, insertLearnings, lockRepositories, updateStates } from '../store-writes.ts';
import { filePath, learningText, sourceUrl } from '../write/learning-fields.ts';

export const capturedEventType = 'postil.learning_captured';

const capturedData = z.strictObject({
  repository_id: providerId,
  learning: learningText,
  author_id: providerId,
  origin: z.enum(['chat', 'pipeline']),
  file: filePath.nullish(),
  source_url: sourceUrl.nullish(),
  /** The delay that the repository's own configuration sets, overriding the organization's setting. */
  approval_delay_days: z.int().min(0).max(365).nullish(),
  pull_request: z
    .strictObject({
      number: z.int().min(1).max(2_147_483_647),
      state: z.enum(['open', 'merged', 'closed']),
    })
    .nullish(),
});

type CapturedData = z.output<typeof capturedData>;
type CapturedEvent = ReceivedEvent<CapturedData>;

/** An event with the initial state of its Learning. */
interface Capture {
  readonly event: CapturedEvent;
  readonly key: ContentKey;
  readonly state: LearningState;
}

async function findDelays(tx: Tx, events: readonly CapturedEvent[]): Promise<Map<string, number>> {
  const rows = await tx<{ organization_id: OrganizationId; id: RepositoryId; days: number }[]>`
    SELECT r.organization_id, r.id, coalesce(r.approval_delay_days, o.approval_delay_days) AS days
    FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE (r.organization_id, r.id) IN (
      SELECT * FROM unnest(${events.map(({ organization }) => organization.id)}::uuid[],
        ${events.map(({ repository }) => repository!.id)}::uuid[]))`;
  return new Map(
    rows.map((row) => [
      repositoryKey({ organizationId: row.organization_id, repositoryId: row.id }),
      row.days,
    ]),
  );
}

/** The newest known state of each event's pull request, from the event itself or from pull request events. */
async function findPullRequestFacts(
  tx: Tx,
  events: readonly CapturedEvent[],
): Promise<Map<CapturedEvent, PullRequestFact>> {
  const inPullRequest = events.filter(({ data }) => data.pull_request != null);
  const known = await findPullRequestStates(
    tx,
    inPullRequest.map(({ organization, repository, data }) => ({
      organizationId: organization.id,
      repositoryId: repository!.id,
      number: data.pull_request!.number,
    })),
  );
  return new Map(
    inPullRequest.map((event, position) => {
      const { number, state } = event.data.pull_request!;
      const later = known[position];
      const isNewer = later != null && later.eventTime.getTime() >= event.time.getTime();
      return [event, { number, state: isNewer ? later.state : state }];
    }),
  );
}

async function readCaptures(tx: Tx, events: readonly CapturedEvent[]): Promise<Capture[]> {
  const delays = await findDelays(tx, events);
  const facts = await findPullRequestFacts(tx, events);
  return events.flatMap((event) => {
    const key = {
      organizationId: event.organization.id,
      repositoryId: event.repository!.id,
      hash: contentHash(event.data.learning),
    };
    const delay = event.data.approval_delay_days ?? delays.get(repositoryKey(key)) ?? 0;
    const state = capturedState(event.data.origin, event.time, delay, facts.get(event) ?? null);
    return state === null ? [] : [{ event, key, state }];
  });
}

function newLearning({ event, key, state }: Capture, id: string, indexDueAt: Date): NewLearning {
  return {
    ...key,
    ...state,
    id,
    text: event.data.learning,
    file: event.data.file ?? null,
    sourceUrl: event.data.source_url ?? null,
    authorId: event.data.author_id,
    authorPersonId: null,
    origin: event.data.origin,
    redactorVersion: REDACTOR_VERSION,
    createdAt: event.time,
    indexDueAt,
  };
}

async function applyCaptures(tx: Tx, events: readonly CapturedEvent[], { now }: { now: Date }) {
  const versions = await lockRepositories(
    tx,
    events.map(({ organization, repository }) => ({
      organizationId: organization.id,
      repositoryId: repository!.id,
    })),
  );
  const captures = await readCaptures(tx, events);
  const known = await findByContent(
    tx,
    captures.map(({ key }) => key),
  );
  const created = new Map<string, Capture>();
  const states = new Map([...known].map(([name, learning]) => [name, learning as LearningState]));
  for (const capture of captures.toSorted((a, b) => a.event.time.getTime() - b.event.time.getTime())) {
    const name = contentKey(capture.key);
    const state = states.get(name);
    states.set(name, state === undefined ? capture.state : recapturedState(state, capture.state));
    if (state === undefined) created.set(name, capture);
  }
  const firsts = [...created];
  const ids = await findFreeIds(
    tx,
    firsts.map(([, { key, event }]) => ({ ...key, text: event.data.learning })),
  );
  const learnings = firsts.map(([name, capture], position) =>
    newLearning({ ...capture, state: states.get(name)! }, ids[position]!, now),
  );
  await insertLearnings(tx, learnings, versions);
  const changes = [...known]
    .map(([name, learning]) => ({ learning, state: states.get(name)! }))
    .filter(({ learning, state }) => learning !== state);
  await updateStates(tx, changes, versions);
  await recordLearningChanges(tx, { actor: systemActor, now }, [
    ...learnings.map((learning) =>
      learningChange('learning.captured', learning, {
        origin: learning.origin,
        visibility: learning.visibility,
        approval: learning.approval,
      }),
    ),
    ...changes
      .filter(({ state }) => state.visibility === 'shared')
      .map(({ learning }) => learningChange('learning.shared', learning)),
  ]);
  return [];
}

/** `postil.learning_captured`: guidance that a person gave in chat, or that a pipeline found. */
export const learningCaptured = eventType<CapturedData>({
  type: capturedEventType,
  data: capturedData,
  isIdempotent: false,
  hasRepository: true,
  apply: applyCaptures,
});
