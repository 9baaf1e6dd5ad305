import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import { commaListParameter, cursorParameter } from '../../lib/wire/wire.ts';

const delayDays = z.int().min(0).max(30);

/** So many repositories are on a page, and so many can be asked for by their ids. */
export const repositoriesPerPage = 100;

export const organizationSettings = z.strictObject({
  name: z.string(),
  provider: z.enum(providers),
  org_id: z.string(),
  instance: z.string().nullable(),
  plan: z.enum(['free', 'pro', 'enterprise']),
  subscription: z.enum(['active', 'none']),
  seats_purchased: z.int(),
  metrics: z.enum(['available', 'unavailable']),
  metrics_isolated: z.boolean(),
  approval_delay_days: delayDays,
  repositories: z.array(
    z.strictObject({
      repository_id: z.string(),
      name: z.string(),
      private: z.boolean(),
      approval_delay_days: delayDays.nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const settingsQuery = z.strictObject({
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: 'Part of the name of a repository' })
    .optional(),
  repository_ids: commaListParameter(repositoriesPerPage).optional(),
  cursor: cursorParameter.optional(),
});

export const settingsChange = z.strictObject({
  approval_delay_days: delayDays.optional(),
  metrics_isolated: z.boolean().optional(),
  repositories: z
    .array(
      z.strictObject({
        repository_id: z.string().min(1).max(255),
        approval_delay_days: delayDays.nullable(),
      }),
    )
    .max(1000)
    .optional(),
});
export type SettingsChange = z.output<typeof settingsChange>;
