import { DiffError } from '../change/file-sections.ts';
import { RevisionError } from '../repository/choose-revisions.ts';
import { GitError, type GitFault } from '../repository/run-git.ts';

/** Why a part did not complete. */
export type PartLimit = 'time' | 'memory' | 'crashed';

const explanations: Record<PartLimit, string> = {
  time: 'reading it took too long',
  memory: 'reading it took too much memory',
  crashed: 'the process that was reading it crashed, twice',
};

/** A part was ended from outside, or its process crashed twice. */
export class PartEnded extends Error {
  override readonly name = 'PartEnded';
  readonly limit: PartLimit;

  constructor(limit: PartLimit) {
    super(explanations[limit]);
    this.limit = limit;
  }
}

/** An error, serialized to be sent between processes. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly fault?: GitFault;
  readonly stack?: string | undefined;
}

export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack, ...(error instanceof GitError && { fault: error.fault }) };
}

/** Restores the error; with its class, if callers check for that. */
export function receiveError({ name, message, fault, stack }: SentError): Error {
  if (name === 'GitError') return new GitError(fault ?? 'failed', message);
  if (name === 'DiffError') return new DiffError(message);
  if (name === 'RevisionError') return new RevisionError(message);
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
