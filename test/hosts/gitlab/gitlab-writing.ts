import { hash } from 'node:crypto';
import type {
  ForgeComment,
  ForgeLineComment,
  ForgePlace,
  ForgePull,
  ForgeRepository,
  ForgeUser,
} from '../forge/forge-data.ts';
import { type ForgeDiffLine, linesAt } from '../forge/forge-diff.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import type { GitLabDouble } from './gitlab-double.ts';

const notFound: DoubleAnswer = { status: 404, json: { message: '404 Not Found' } };
const badPlace: DoubleAnswer = {
  status: 400,
  json: {
    message: '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}',
  },
};

export const userView = ({ id, login, isBot }: ForgeUser) => ({
  id,
  username: login,
  bot: isBot,
  state: 'active',
});

interface Position {
  readonly base_sha?: string;
  readonly start_sha?: string;
  readonly head_sha?: string;
  readonly old_path?: string;
  readonly new_path?: string;
  readonly old_line?: number;
  readonly new_line?: number;
  readonly line_range?: { readonly start: RangeEnd; readonly end: RangeEnd };
}

interface RangeEnd {
  readonly line_code: string;
  readonly type: 'new' | 'old' | null;
  readonly old_line?: number;
  readonly new_line?: number;
}

/** A comment that is not published yet. */
export interface GitLabDraft {
  readonly id: number;
  readonly user: ForgeUser;
  readonly pull: ForgePull;
  readonly note: string;
  readonly position: Position | undefined;
}

const lineCode = (path: string, { oldLine, newLine }: ForgeDiffLine) =>
  `${hash('sha1', path)}_${oldLine}_${newLine}`;

/** Whether the numbers identify this line: an unchanged line needs both, others only their own. */
function isLine(at: ForgeDiffLine | undefined, { old_line, new_line }: Position | RangeEnd): boolean {
  if (at === undefined) return false;
  const { kind, oldLine, newLine } = at;
  const old = kind === 'added' ? undefined : oldLine;
  return old_line === old && new_line === (kind === 'removed' ? undefined : newLine);
}

/** The place of a position in the diff; undefined if GitLab finds no valid line code for it. */
function placeOf(pull: ForgePull, position: Position | undefined): ForgePlace | undefined {
  if (position?.new_path === undefined || position.old_path === undefined) return undefined;
  const { new_path: path, new_line, old_line, line_range: range } = position;
  const side = new_line === undefined ? 'old' : 'new';
  const line = new_line ?? old_line;
  if (line === undefined) return undefined;
  const first = side === 'new' ? range?.start.new_line : range?.start.old_line;
  const place = { path, side, startLine: first ?? line, line } as const;
  const lines = linesAt(pull, place);
  if (!isLine(lines?.last, position)) return undefined;
  if (range !== undefined) {
    if (!isLine(lines!.first, range.start) || !isLine(lines!.last, range.end)) return undefined;
    if (range.start.line_code !== lineCode(path, lines!.first)) return undefined;
    if (range.end.line_code !== lineCode(path, lines!.last)) return undefined;
  }
  return place;
}

function hasKnownCommits(pull: ForgePull, { base_sha, start_sha, head_sha }: Position): boolean {
  const zero = '0'.repeat(40);
  return base_sha === zero && start_sha === zero && pull.commits.some(({ sha }) => sha === head_sha);
}

const noteView = (comment: ForgeComment, type: string | null) => ({
  id: comment.id,
  type,
  system: false,
  body: comment.body,
  author: userView(comment.user),
  created_at: comment.at.toISOString(),
  updated_at: (comment.editedAt ?? comment.at).toISOString(),
});

const lineNoteView = (comment: ForgeLineComment, root: ForgeLineComment) => ({
  ...noteView(comment, 'DiffNote'),
  resolvable: true,
  resolved: root.resolver !== null,
  resolved_by: root.resolver && userView(root.resolver),
  position: {
    new_path: root.place.path,
    old_path: root.place.path,
    new_line: root.place.side === 'new' ? root.place.line : null,
    old_line: root.place.side === 'old' ? root.place.line : null,
  },
});

const discussionId = ({ id }: { id: number }) => hash('sha1', String(id));

function discussionsOf(double: GitLabDouble, pull: ForgePull): object[] {
  return [
    ...pull.comments.map((comment) => ({
      id: discussionId(comment),
      individual_note: true,
      notes: [noteView(comment, null)],
    })),
    ...double.state.threads(pull).map((thread) => ({
      id: discussionId(thread[0]!),
      individual_note: false,
      notes: thread.map((comment) => lineNoteView(comment, thread[0]!)),
    })),
  ];
}

interface Asked {
  readonly double: GitLabDouble;
  readonly request: DoubleRequest;
  readonly pull: ForgePull;
  readonly user: ForgeUser;
}

/** Publishes drafts. They are not validated when they are written; one without a valid place is lost here. */
function publish({ double, pull, user }: Asked, drafts: readonly GitLabDraft[]): DoubleAnswer {
  const placed = drafts.flatMap(({ note, position }) => {
    const place = placeOf(pull, position);
    return place === undefined ? [] : [{ body: note, place }];
  });
  if (placed.length > 0) double.state.submit(pull, double.state.draft(pull, user, '', placed));
  for (const draft of drafts) double.draftNotes.splice(double.draftNotes.indexOf(draft), 1);
  return { status: 204 };
}

function ofDrafts(asked: Asked, what: string | undefined, action: string | undefined) {
  const { double, request, pull, user } = asked;
  const { method, body } = request;
  const own = double.draftNotes.filter((draft) => draft.pull === pull && draft.user === user);
  if (!double.hasDrafts) return notFound;
  if (what === 'bulk_publish') return publish(asked, own);
  if (what !== undefined) {
    const draft = own.find(({ id }) => String(id) === what);
    if (draft === undefined) return notFound;
    if (action === 'publish') return publish(asked, [draft]);
    double.draftNotes.splice(double.draftNotes.indexOf(draft), 1);
    return { status: 204 };
  }
  if (method === 'GET') return own.map(({ id, note, position }) => ({ id, note, position }));
  if (body.position !== undefined && !hasKnownCommits(pull, body.position)) return badPlace;
  const { note, position } = body;
  const draft = { id: double.state.nextId(), user, pull, note, position };
  double.draftNotes.push(draft);
  return { status: 201, json: { id: draft.id, note } };
}

function ofDiscussions({ double, request, pull, user }: Asked, id: string | undefined) {
  const { method, body } = request;
  if (id === undefined && method === 'GET') return discussionsOf(double, pull);
  if (id === undefined) {
    if (!hasKnownCommits(pull, body.position)) return badPlace;
    const place = placeOf(pull, body.position);
    if (place === undefined) return badPlace;
    const draft = double.state.draft(pull, user, '', [{ body: body.body, place }]);
    const [root] = double.state.submit(pull, draft).comments;
    return { status: 201, json: { id: discussionId(root!), notes: [lineNoteView(root!, root!)] } };
  }
  const thread = double.state.threads(pull).find(([root]) => discussionId(root!) === id);
  if (thread === undefined) return notFound;
  const [root] = thread as [ForgeLineComment];
  if (method === 'PUT') {
    root.resolver = body.resolved ? user : null;
    return { status: 200, json: { id, notes: thread.map((comment) => lineNoteView(comment, root)) } };
  }
  const answer = double.state.answer(pull, user, root, body.body);
  return { status: 201, json: lineNoteView(answer, root) };
}

const states = ['pending', 'running', 'success', 'failed', 'canceled'];

function setStatus(
  double: GitLabDouble,
  repository: ForgeRepository,
  sha: string,
  { body }: DoubleRequest,
): DoubleAnswer {
  const { state, name, description: title, target_url: url = null } = body;
  if (![...states, ...(double.hasSkipped ? ['skipped'] : [])].includes(state))
    return { status: 400, json: { error: 'state does not have a valid value' } };
  const known = repository.statuses.findLast((status) => status.sha === sha && status.name === name);
  if (known?.state === state && ['pending', 'running'].includes(state))
    return { status: 400, json: { message: `Cannot transition status via :run from :${state}` } };
  if (known?.state === 'running' && state === 'skipped')
    return { status: 400, json: { message: 'Cannot transition status via :skip from :running' } };
  if (known !== undefined && ['pending', 'running'].includes(known.state))
    Object.assign(known, { state, title, url });
  else double.state.setStatus(repository, { sha, name, state, title, url });
  return { status: 201, json: { id: 1, status: state, name } };
}

/** Answers the requests of an account that write on GitLab, and the lists that only reviews need, which are then paged. */
export function answerGitLabWriting(
  double: GitLabDouble,
  path: string,
  request: DoubleRequest,
  repository: ForgeRepository,
  user: ForgeUser,
): DoubleAnswer | object[] | undefined {
  const { method, body } = request;
  const status = match('/projects/:id/statuses/:sha', path);
  if (status !== undefined) return setStatus(double, repository, status.sha!, request);
  const of = '/projects/:id/merge_requests/:iid';
  const found =
    match(`${of}/:what`, path) ??
    match(`${of}/:what/:item`, path) ??
    match(`${of}/:what/:item/:action`, path);
  const pull = repository.pulls.get(Number(found?.iid));
  if (found === undefined || pull === undefined) return undefined;
  const asked = { double, request, pull, user };
  if (found.what === 'draft_notes') return ofDrafts(asked, found.item, found.action);
  if (found.what === 'discussions') return ofDiscussions(asked, found.item);
  if (found.what !== 'notes' || method === 'GET') return undefined;
  if (found.item === undefined)
    return { status: 201, json: noteView(double.state.comment(pull, user, body.body), null) };
  const note = pull.comments.find(({ id }) => String(id) === found.item);
  if (note === undefined) return notFound;
  if (note.user !== user) return { status: 403, json: { message: '403 Forbidden' } };
  note.body = body.body;
  return { status: 200, json: noteView(note, null) };
}
