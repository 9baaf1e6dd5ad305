import { z } from 'zod';

/** Parses the text of a setting as a whole number within bounds. */
export const wholeNumber = (least: number, most: number) =>
  z.string().transform((text, issues) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    issues.addIssue(`must be a whole number from ${least} to ${most}`);
    return z.NEVER;
  });
