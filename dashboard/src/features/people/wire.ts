import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/people/schemas.ts';
import type { Shortfall } from '../../components/action.ts';

export type MemberPage = z.output<typeof schemas.memberSearchPage>;
export type Member = MemberPage['users'][number];
export type PersonPage = z.output<typeof schemas.personSearchPage>;
export type Person = PersonPage['users'][number];
export type BatchResult = z.output<typeof schemas.batchResult>;

/** Describes the outcome of a change to several people. */
export function describeBatch({
  succeeded,
  failed,
}: Pick<BatchResult, 'succeeded' | 'failed'>): string | Shortfall {
  const done = succeeded.length === 1 ? '1 person changed' : `${succeeded.length} people changed`;
  if (failed.length === 0) return done;
  const reasons = [...new Set(failed.map(({ message }) => message))].join('; ');
  return { message: `${done}, ${failed.length} failed: ${reasons}`, isTotal: succeeded.length === 0 };
}
