import { AppError } from '../../lib/app-error.ts';

/** One operation of a PATCH, of a user or of a group. */
export interface PatchOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

const maxTextLength = 255;

export function invalid(message: string): AppError {
  return new AppError('INVALID_REQUEST', message);
}

/** Without this check, an operation that lost its value would empty what it names. */
export function requireValue({ op, value }: PatchOperation): void {
  if (value === undefined) throw invalid(`value: required to ${op.toLowerCase()} something`);
}

export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= maxTextLength) return value.trim();
  throw invalid(`${name}: must be a text of 1 to ${maxTextLength} characters`);
}
