import { z } from 'zod';
import { clipName } from '../clip-text.ts';
import { FINDING_LIMITS } from '../scan-finding.ts';
import { artifactPaths } from './artifact-paths.ts';
import { indexRules } from './rule-index.ts';
import type { SarifError } from './sarif-error.ts';
import type { SarifRun } from './sarif-shape.ts';

/** A result that could not be read, and the findings that it may be about; null means any. */
export interface UnreadableResult {
  readonly ruleId: string | null;
  readonly filePath: string | null;
  readonly fault: SarifError;
}

const any = z.unknown().optional();
const record = z.looseObject({}).nullish().catch(null);
const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);

/** The minimum that must be valid to tell what an unreadable result is about. */
const hints = z.object({
  kind: any,
  baselineState: any,
  ruleId: text,
  ruleIndex: number,
  rule: z.object({ id: text, index: number }).nullish().catch(null),
  locations: z
    .tuple([
      z.object({
        physicalLocation: z.object({
          artifactLocation: z.object({
            uri: z.string().nullish(),
            uriBaseId: z.string().nullish(),
            index: z.number().nullish(),
          }),
        }),
      }),
    ])
    .rest(any)
    .nullish()
    .catch(null),
  properties: record,
});

/** Reads what is valid of an invalid result. One that is marked as not being a finding is skipped: then it returns undefined. */
export function unreadableResultReader(
  run: SarifRun,
): (value: unknown, fault: SarifError) => UnreadableResult | undefined {
  const rules = indexRules(run);
  const paths = artifactPaths(run);
  return (value, fault) => {
    const { data } = hints.safeParse(value);
    if (data === undefined) return { ruleId: null, filePath: null, fault };
    if (
      (typeof data.kind === 'string' && data.kind.toLowerCase() !== 'fail') ||
      data.baselineState === 'absent'
    )
      return undefined;
    const ruleId = rules.ruleOf({ ...data, message: {} } as never).id;
    return {
      ruleId: ruleId === null ? null : clipName(ruleId, FINDING_LIMITS.ruleIdLength),
      filePath: paths(data.locations?.[0].physicalLocation.artifactLocation),
      fault,
    };
  };
}
