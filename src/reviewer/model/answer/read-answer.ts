import { z } from 'zod';
import { type AnsweredFinding, answeredFinding } from './answer-schema.ts';

const maxFindings = 200;

export interface ReadAnswer {
  readonly findings: readonly AnsweredFinding[];
  /** Whether a part of the answer could not be parsed: it was truncated, or has another form. */
  readonly isFaulty: boolean;
}

const nothing: ReadAnswer = { findings: [], isFaulty: true };

/** Parses the answer of a model, and keeps the findings that are valid. `isWhole`: the model was not cut off. */
export async function readAnswer(text: string, isWhole: boolean): Promise<ReadAnswer> {
  const read = await readObject(text);
  if (read === undefined) return nothing;
  const { value, isCut } = read;
  const given = Array.isArray(value) ? value : value.findings;
  if (!Array.isArray(given)) return nothing;
  // The last finding of a truncated answer may be incomplete.
  const isInFindings = isCut && !Object.keys(value).slice(Object.keys(value).indexOf('findings') + 1).length;
  const complete = isInFindings ? given.slice(0, -1) : given;
  const findings = complete.slice(0, maxFindings).flatMap((finding) => {
    const parsed = answeredFinding.safeParse(finding);
    return parsed.success ? [parsed.data] : [];
  });
  return { findings, isFaulty: isCut || !isWhole || findings.length < complete.length };
}

const removals = z.object({ remove: z.array(z.coerce.number().int()) });

/** The numbers of the findings that the second pass removes; none if its answer is incomplete. */
export async function readRemovals(text: string, isWhole: boolean): Promise<ReadonlySet<number>> {
  const read = await readObject(text);
  const parsed = removals.safeParse(read?.value);
  return new Set(!parsed.success || !isWhole || read?.isCut ? [] : parsed.data.remove);
}

const spoken = z.object({ answer: z.string() });

/** The answer to a question; null if it is incomplete, or not in the requested form. */
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

/** The verdict on a check; null if it is incomplete, or not in the requested form. */
export async function readVerdict(text: string, isWhole: boolean): Promise<z.output<typeof verdict> | null> {
  const read = await readObject(text);
  const parsed = verdict.safeParse(read?.value);
  return !parsed.success || !isWhole || read?.isCut ? null : parsed.data;
}

/** Parses the JSON in a text, ignoring thoughts, code fences, and sentences around it; undefined if there is none. */
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
    // Of a truncated text, the second candidate contains more, as it is not cut at the last bracket.
    if (isCut && candidate.length < spoken.length - start) continue;
    return { value: value as Record<string, unknown>, isCut };
  }
  return undefined;
}
