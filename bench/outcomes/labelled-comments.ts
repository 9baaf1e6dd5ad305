import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const line = z.int().positive();
const commit = z.string().regex(/^[0-9a-f]{40}$/);

/** A real review comment, with a label by people or a model: whether it was addressed by the merge. */
const labelledComment = z.strictObject({
  id: z.string(),
  repository: z.string().meta({ description: 'Its name, by which the set is split' }),
  git: z.string().meta({ description: 'The folder of its Git repository, from the folder of the set' }),
  reviewer: z.string(),
  is_bot: z.boolean(),
  path: z.string(),
  side: z.enum(['new', 'old']),
  start_line: line.nullable().meta({ description: 'Null for a comment on the file' }),
  end_line: line.nullable(),
  base: commit.nullable().meta({ description: 'Where `commit` branches off' }),
  commit: commit.meta({ description: 'The version that was commented on' }),
  last_base: commit.nullable(),
  last_commit: commit.meta({ description: 'The version that was merged' }),
  body: z.string(),
  addressed: z.boolean(),
  labelled_by: z.enum(['person', 'model']),
  thread: z
    .strictObject({
      is_resolved: z.boolean(),
      resolved_by_bot: z.boolean(),
      replies: z.array(z.strictObject({ is_bot: z.boolean(), body: z.string() })),
    })
    .nullable()
    .meta({ description: 'Null if the set does not know the thread' }),
});
export type LabelledComment = z.infer<typeof labelledComment>;

/** Reads `comments.jsonl` of a set. */
export async function readLabelledComments(folder: string): Promise<LabelledComment[]> {
  const text = await readFile(path.join(folder, 'comments.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => labelledComment.parse(JSON.parse(row)))
    .map((comment) => ({ ...comment, git: path.resolve(folder, comment.git) }));
}
