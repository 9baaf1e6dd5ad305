import { type HostComment, type HostThread, wasEdited } from '../review-host.ts';
import { authorOf } from './gitlab-merge-request.ts';
import type { GitLabDiscussion, GitLabNote } from './gitlab-responses.ts';

/** Converts a note to a comment. GitLab does not send its URL, so it is put together here. */
export function commentOf(note: GitLabNote, mergeUrl: string, ownId: string): HostComment {
  const author = authorOf(note.author);
  return {
    id: String(note.id),
    url: `${mergeUrl}#note_${note.id}`,
    author,
    body: note.body,
    createdAt: new Date(note.created_at),
    isOwn: author?.id === ownId,
    reactions: null,
    isEdited: wasEdited(note.created_at, note.updated_at),
  };
}

/** A discussion as a thread; null if it is not about the diff. */
export function threadOf(
  { id, notes }: GitLabDiscussion,
  mergeUrl: string,
  ownId: string,
): HostThread | null {
  const said = notes.filter(({ system }) => !system);
  const [first] = said;
  if (first?.type !== 'DiffNote' || first.position == null) return null;
  const { new_path, old_path, new_line, old_line } = first.position;
  const isOld = new_line == null && old_line != null;
  const line = (isOld ? old_line : new_line) ?? null;
  const start = first.position.line_range?.start;
  const startLine = line === null ? null : ((isOld ? start?.old_line : start?.new_line) ?? line);
  const { head_sha: revision, position_type: kind } = first.position;
  const begun = revision && (line !== null || kind === 'file') ? { revision, startLine, line } : null;
  const resolvable = said.filter((note) => note.resolvable);
  const isResolved = resolvable.length > 0 && resolvable.every(({ resolved }) => resolved);
  const resolver = resolvable.findLast(({ resolved_by }) => resolved_by != null)?.resolved_by ?? null;
  return {
    id,
    path: (isOld ? old_path : new_path) ?? old_path ?? '',
    side: isOld ? 'old' : 'new',
    line,
    startLine,
    ...(begun !== null && { begun }),
    isResolved,
    resolvedBy: isResolved && resolver ? { id: String(resolver.id), username: resolver.username } : null,
    ...(first.suggestions != null && {
      isSuggestionApplied: first.suggestions.some(({ applied }) => applied === true),
    }),
    comments: said.map((note) => commentOf(note, mergeUrl, ownId)),
  };
}
