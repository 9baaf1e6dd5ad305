import { z } from 'zod';
import { severities } from '../../reviewer/finding-vocabulary.ts';
import { ecosystems } from '../../reviewer/review-report.ts';

const version = z.string().min(1).max(300);
const event = z.strictObject({ introduced: version, fixed: version, last_affected: version }).partial();

/** An advisory as it is kept: what a review needs of an OSV document. */
export const advisoryShape = z.strictObject({
  id: z.string().regex(/^[\w:.-]{1,100}$/),
  summary: z.string().max(300),
  severity: z.enum(severities),
  affected: z
    .array(
      z.strictObject({
        ecosystem: z.enum(ecosystems),
        name: z.string().min(1).max(500),
        versions: z.array(version).max(50_000),
        ranges: z.array(z.strictObject({ events: z.array(event).max(2_000) })).max(2_000),
      }),
    )
    .min(1)
    .max(5_000),
});

export const importRequest = z.strictObject({
  advisories: z.array(advisoryShape).max(1_000),
  withdrawn: z.array(z.string().min(1).max(100)).max(10_000),
});

export const importResult = z.strictObject({
  stored: z.int().describe('New and changed advisories'),
  withdrawn: z.int().describe('Withdrawn advisories that were deleted'),
  total: z.int().describe('All advisories that are stored now'),
});
