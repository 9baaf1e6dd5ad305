import { z } from 'zod';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  uuid,
  wireInstant,
} from '../../lib/wire/wire.ts';
import { categories, severities } from '../../reviewer/finding-vocabulary.ts';
import { signalNames, signalSources } from './signals/signal.ts';

export const findingPath = z.strictObject({ id: uuid, finding_id: z.string().min(1).max(255) });

export const findingPatch = z.strictObject({
  accepted: z.boolean().nullable().meta({ description: 'Null withdraws the previous verdict' }),
});

export const signalsQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(100),
  cursor: cursorParameter.optional(),
});

export const signalPage = z.strictObject({
  data: z.array(
    z.strictObject({
      signal: z.enum(signalNames),
      source: z.enum(signalSources),
      at: wireInstant,
      actor: z
        .strictObject({ id: z.string().nullable(), name: z.string(), is_bot: z.boolean() })
        .nullable()
        .meta({ description: 'Who caused the signal; null if it was observed in the code' }),
      evidence: z
        .record(z.string(), z.unknown())
        .meta({ description: 'Where to look it up: commits, lines, threads, replies' }),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const findingsQuery = z
  .strictObject({
    reviewer: z.string().min(1).max(255).optional().meta({
      description: 'The user name of another reviewer, or `postil` for our own findings',
    }),
    repository_ids: commaListParameter(10).optional(),
    start_date: dateParameter.optional(),
    end_date: dateParameter.optional(),
    limit: integerParameter(1, 1000).default(100),
    cursor: cursorParameter.optional(),
  })
  .check(daysInOrder);

export const findingPage = z.strictObject({
  data: z.array(
    z.strictObject({
      finding_id: z.string(),
      reviewer: z.string().meta({ description: '`postil` for our own' }),
      repository_id: z.string(),
      pull_request: z.int(),
      pr_url: z.string().nullable(),
      path: z.string(),
      start_line: z.int().nullable().meta({ description: 'Null for a finding about the file as a whole' }),
      end_line: z.int().nullable(),
      severity: z.enum(severities).nullable(),
      category: z.enum(categories).nullable(),
      url: z.string(),
      state: z.enum(['open', 'outdated', 'resolved', 'dismissed']),
      accepted: z.boolean().nullable(),
      chance: z
        .number()
        .nullable()
        .meta({ description: 'How often lines like these change anyway, commented on or not, from 0 to 1' }),
      signals: z.array(z.enum(signalNames)).meta({ description: 'What was observed, each name once' }),
    }),
  ),
  next_cursor: z.string().nullable(),
});
