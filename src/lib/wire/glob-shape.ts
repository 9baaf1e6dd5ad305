import { z } from 'zod';
import { faultOfGlob } from '../patterns/glob.ts';
import { onSound } from './own-checks.ts';

/** A glob of a user. One that could keep the server busy is rejected. */
export const globShape = z
  .string()
  .min(1)
  .max(500)
  .check(
    onSound(({ value, issues }) => {
      const fault = faultOfGlob(value);
      if (fault !== undefined) issues.push({ code: 'custom', message: fault, input: value });
    }),
  );
