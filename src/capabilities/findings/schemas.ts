import { z } from 'zod';
import { cursorParameter, integerParameter, uuid, wireInstant } from '../../lib/wire/wire.ts';
import { signalNames, signalSources } from './signals/signal.ts';

export const findingPath = z.strictObject({ id: uuid, finding_id: z.string().min(1).max(255) });

export const findingPatch = z.strictObject({
  accepted: z.boolean().nullable().meta({ description: 'Null takes back what was said before' }),
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
        .meta({ description: 'Who did it; null for what was seen in the code' }),
      evidence: z
        .record(z.string(), z.unknown())
        .meta({ description: 'What to look up: commits, lines, threads, replies' }),
    }),
  ),
  next_cursor: z.string().nullable(),
});
