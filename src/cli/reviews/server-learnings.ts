import { z } from 'zod';
import type { LearningsForReview } from '../../reviewer/model/review-context.ts';

/** The server and key to read a repository's Learnings with. */
export interface LearningsServer {
  readonly url: string;
  readonly key: string;
  /** The id of the repository at its Git provider. */
  readonly repositoryId: string;
}

const timeoutMs = 15_000;
const found = z.object({
  data: z.array(z.object({ id: z.string(), learning: z.string(), file: z.string().nullable() })),
});

/** Searches a server's Learnings for a repository, as the server's own reviews do. */
export function serverLearnings({ url, key, repositoryId }: LearningsServer): LearningsForReview {
  return {
    async find({ paths, text, limit }) {
      const response = await fetch(new URL('/v1/learnings/search', url), {
        method: 'POST',
        headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ repository_id: repositoryId, query: text, limit }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const { data } = found.parse(await response.json());
      return data
        .filter(({ file }) => isAbout(file, paths))
        .map(({ id, learning }) => ({ id, text: learning }));
    },
  };
}

/** Whether a Learning applies to one of the files: it names no file, this file, or a folder that contains it. */
function isAbout(file: string | null, paths: readonly string[]): boolean {
  if (file === null) return true;
  const own = file.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  return own === '' || paths.some((path) => path === own || path.startsWith(`${own}/`));
}
