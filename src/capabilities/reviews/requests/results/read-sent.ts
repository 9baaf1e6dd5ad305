import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../lib/app-error.ts';
import type { Part, ReviewProcesses, Workplace } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import type { Reporter } from './reporter.ts';

interface Faults {
  readonly faults: readonly string[];
}

/** A part that parses a body from a file, and writes its large contents to the folder. */
interface ReadingPart<Sent> {
  readonly work: (
    request: { readonly file: string; readonly folder: string },
    place: Workplace,
  ) => Promise<Sent | Faults>;
}

/**
 * Parses a body in a review process, because it is large and untrusted. `field` is the field that a failure is reported for.
 */
export async function readSent<Sent extends object>(
  { processes }: { readonly processes: ReviewProcesses },
  part: Part<ReadingPart<Sent>>,
  field: string,
  { organizations }: Reporter,
  body: Buffer,
  folder: string,
): Promise<Sent> {
  const file = path.join(folder, 'body.json');
  await writeFile(file, body, { mode: 0o600 });
  const order = {
    group: organizations[0]?.id ?? 'nobody',
    signal: new AbortController().signal,
    isUrgent: true,
  };
  const read = await processes.run(part, { file, folder }, order).catch((error: unknown): Faults => {
    if (error instanceof PartEnded) return { faults: [`${field}: ${error.message}`] };
    throw error;
  });
  if ('faults' in read) throw new AppError('INVALID_REQUEST', [...(read as Faults).faults]);
  return read as Sent;
}
