import { z } from 'zod';
import { FINDING_LIMITS } from '../../lib/sarif/scan-finding.ts';
import { SEVERITIES, type Severity } from '../../lib/sarif/severity.ts';
import { parseCommaList } from '../../lib/wire/comma-list.ts';
import { onSound } from '../../lib/wire/own-checks.ts';
import {
  cursorParameter,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';

export const FINDING_STATES = ['open', 'fixed', 'dismissed'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

function isSeverity(text: string): text is Severity {
  return SEVERITIES.some((severity) => severity === text);
}

const severityParameter = z
  .string()
  .transform((text, issues): Severity[] => {
    const values = parseCommaList(text, SEVERITIES.length);
    if (typeof values !== 'string' && values.every(isSeverity)) return values;
    issues.addIssue(
      typeof values === 'string' ? values : `each value must be one of ${SEVERITIES.join(', ')}`,
    );
    return z.NEVER;
  })
  .meta({
    openapi: { type: 'string', description: `One or several, comma-separated: ${SEVERITIES.join(', ')}` },
  });

export const findingsQuery = z
  .strictObject({
    state: z.enum([...FINDING_STATES, 'all']).default('open'),
    severity: severityParameter.optional(),
    repo_id: providerId.optional(),
    format: z.enum(['json', 'csv', 'sarif']).default('json'),
    limit: integerParameter(1, 1000).optional(),
    cursor: cursorParameter.optional(),
  })
  .check(
    onSound(({ value, issues }) => {
      if (value.format === 'json') return;
      for (const name of ['limit', 'cursor'] as const) {
        if (value[name] === undefined) continue;
        const message = `is only allowed with format=json; ${value.format} returns the whole inventory at once`;
        issues.push({ code: 'custom', path: [name], message, input: value });
      }
    }),
  );

export type FindingsQuery = z.output<typeof findingsQuery>;

const finding = z
  .strictObject({
    id: wireUuid,
    organization_id: z.string(),
    organization_name: z.string(),
    repository_id: z.string(),
    repository_name: z.string(),
    rule_id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    severity: z.enum(SEVERITIES),
    state: z.enum(FINDING_STATES),
    cwe: z.string().nullable().meta({ description: 'Such as `CWE-79`; several are comma-separated' }),
    file_path: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    first_detected_at: wireInstant,
    last_seen_at: wireInstant,
    fixed_at: wireInstant.nullable(),
    scan_provenance: z
      .strictObject({
        scanId: z.string(),
        coverageScope: z.enum(['repository', 'directories']),
        repositoryId: z.string(),
        revision: z.string(),
        evidenceStatus: z.enum(['current', 'superseded']),
      })
      .meta({
        description:
          'The newest scan that found it. Its evidence is superseded once a later scan of the file no longer finds it',
      }),
    reachability: z.strictObject({ callStacks: z.array(z.unknown()), explanation: z.string().nullable() }),
  })
  .meta({ id: 'SecurityFinding' });

export const findingPage = z.strictObject({ data: z.array(finding), next_cursor: z.string().nullable() });

export const findingSummary = z.strictObject({
  counts: z.array(
    z.strictObject({ state: z.enum(FINDING_STATES), severity: z.enum(SEVERITIES), count: z.int() }),
  ),
});

export const findingSearchQuery = z.strictObject({
  state: z.enum([...FINDING_STATES, 'all']).default('open'),
  severity: severityParameter.optional(),
  repo_id: providerId.optional(),
  search: z.string().trim().min(1).max(200).optional(),
  sort: z.enum(['severity', '-severity', 'detected', '-detected']).default('severity'),
  limit: integerParameter(1, 200).default(100),
  cursor: cursorParameter.optional(),
});

export const findingSearchPage = z.strictObject({
  data: z.array(
    finding.pick({
      id: true,
      organization_id: true,
      organization_name: true,
      repository_id: true,
      repository_name: true,
      rule_id: true,
      title: true,
      severity: true,
      state: true,
      file_path: true,
      start_line: true,
      end_line: true,
      first_detected_at: true,
      last_seen_at: true,
    }),
  ),
  total: z.int().nullable().meta({ description: 'How many match; on the first page only' }),
  next_cursor: z.string().nullable(),
});

export const findingPath = z.strictObject({ id: uuid });

export const findingDetail = z.strictObject({
  finding,
  tool: z.string().nullable(),
  code_url: z.string().nullable(),
  dismissal: z.strictObject({ reason: z.string(), by: z.string().nullable() }).nullable(),
  history: z.array(
    z.strictObject({
      event: z.enum(['detected', 'seen', 'fixed', 'dismissed']),
      at: wireInstant,
      by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export const dismissalRequest = z.strictObject({
  reason: z.string().trim().min(1).max(FINDING_LIMITS.reasonLength),
});
