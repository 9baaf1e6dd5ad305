import { z } from 'zod';
import { type AnsweredFinding, answeredFinding } from './answer-schema.ts';

const maxFindings = 200;

export interface ReadAnswer {
  readonly findings: readonly AnsweredFinding[];
  /** Whether something of the answer could not be read: it was cut, or had another shape. */
  readonly isFaulty: boolean;
}

const nothing: ReadAnswer = { findings: [], isFaulty: true };

/** Reads what a model answered, and keeps what can be understood. */
export async function readAnswer(text: string, isWhole: boolean): Promise<ReadAnswer> {
  const read = await readObject(text);
  if (read === undefined) return nothing;
  const { value, isCut } = read;
  const given = Array.isArray(value) ? value : value.findings;
  if (!Array.isArray(given)) return nothing;
  // What was being written when the answer broke off may be anything.
  const isInFindings = isCut && !Object.keys(value).slice(Object.keys(value).indexOf('findings') + 1).length;
  const complete = isInFindings ? given.slice(0, -1) : given;
  const findings = complete.slice(0, maxFindings).flatMap((finding) => {
    const parsed = answeredFinding.safeParse(finding);
    return parsed.success ? [parsed.data] : [];
  });
  return { findings, isFaulty: isCut || !isWhole || findings.length < complete.length };
}

const removals = z.object({ remove: z.array(z.coerce.number().int()) });

/** Which findings the second look removes; none where the answer is not whole, for then nobody said so. */
export async function readRemovals(text: string, isWhole: boolean): Promise<ReadonlySet<number>> {
  const read = await readObject(text);
  const parsed = removals.safeParse(read?.value);
  return new Set(!parsed.success || !isWhole || read?.isCut ? [] : parsed.data.remove);
}

const spoken = z.object({ answer: z.string() });

/** What a model answered to a question; null where the answer is not whole, or not in the form that was asked for. */
export async function readSpokenAnswer(text: string, isWhole: boolean): Promise<string | null> {
  const read = await readObject(text);
  const parsed = spoken.safeParse(read?.value);
  return !parsed.success || !isWhole || read?.isCut ? null : parsed.data.answer;
}

const verdict = z.object({
  verdict: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(['passed', 'failed', 'inconclusive']),
  ),
  quote: z.string().catch(''),
  reason: z.string().catch(''),
});

/** What a model says to a check; null where the answer is not whole, or not in the form that was asked for. */
export async function readVerdict(text: string, isWhole: boolean): Promise<z.output<typeof verdict> | null> {
  const read = await readObject(text);
  const parsed = verdict.safeParse(read?.value);
  return !parsed.success || !isWhole || read?.isCut ? null : parsed.data;
}

/** The JSON in a text, whatever surrounds it: thoughts, a code block, a sentence before or after. */
async function readObject(
  text: string,
): Promise<{ value: Record<string, unknown>; isCut: boolean } | undefined> {
  const spoken = text.slice(text.lastIndexOf('</think>') + 1).replace(/^\/think>/, '');
  const start = spoken.search(/[{[]/);
  if (start === -1) return undefined;
  const end = Math.max(spoken.lastIndexOf('}'), spoken.lastIndexOf(']')) + 1;
  const { parsePartialJson } = await import('ai');
  for (const candidate of [spoken.slice(start, end), spoken.slice(start)]) {
    const { value, state } = await parsePartialJson(candidate);
    if (typeof value !== 'object' || value === null) continue;
    const isCut = state !== 'successful-parse';
    // A text that ends in the middle parses further when nothing of it is left out.
    if (isCut && candidate.length < spoken.length - start) continue;
    return { value: value as Record<string, unknown>, isCut };
  }
  return undefined;
}
