import { AppError } from '../app-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON text that must be UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8');
  }
}
