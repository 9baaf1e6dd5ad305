import { z } from 'zod';
import { linearTest } from '../patterns/linear-pattern.ts';
import { onSound } from './own-checks.ts';

/** A regular expression of a user. One that cannot be matched in linear time is rejected. */
export const patternShape = z
  .string()
  .min(1)
  .max(500)
  .check(
    onSound(({ value, issues }) => {
      try {
        linearTest(value);
      } catch (error) {
        const message = `must be a regular expression that is matched in linear time: ${(error as Error).message}`;
        issues.push({ code: 'custom', message, input: value });
      }
    }),
  );
