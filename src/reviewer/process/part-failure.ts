import { DiffError } from '../change/file-sections.ts';
import { RevisionError } from '../repository/choose-revisions.ts';
import { GitError, type GitFault } from '../repository/run-git.ts';

/** Why a part came to no end. */
export type PartLimit = 'time' | 'memory' | 'crashed';

const explanations: Record<PartLimit, string> = {
  time: 'reading it took too long',
  memory: 'reading it took too much memory',
  crashed: 'the process that was reading it crashed, twice',
};

/** A part that was ended from outside, or whose process died twice. */
export class PartEnded extends Error {
  override readonly name = 'PartEnded';
  readonly limit: PartLimit;

  constructor(limit: PartLimit) {
    super(explanations[limit]);
    this.limit = limit;
  }
}

/** An error as it crosses the border between processes. */
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

/** The error as it was thrown, of those classes that somebody asks for. */
export function receiveError({ name, message, fault, stack }: SentError): Error {
  if (name === 'GitError') return new GitError(fault ?? 'failed', message);
  if (name === 'DiffError') return new DiffError(message);
  if (name === 'RevisionError') return new RevisionError(message);
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
