import { z } from 'zod';
import { parseCwe } from '../../../lib/sarif/cwe.ts';
import { leavesRepository, normalizeFilePath } from '../../../lib/sarif/file-path.ts';
import { MAX_RESULTS } from '../../../lib/sarif/read/read-sarif.ts';
import { FINDING_LIMITS } from '../../../lib/sarif/scan-finding.ts';
import { SEVERITIES } from '../../../lib/sarif/severity.ts';
import { must, onSound } from '../../../lib/wire/own-checks.ts';
import { providerId } from '../../../lib/wire/wire.ts';

const MAX_DIRECTORIES = 1_000;

const line = z.int().min(1).max(FINDING_LIMITS.line);

const pathInside = z
  .string()
  .min(1)
  .max(FINDING_LIMITS.filePathLength)
  .check(must((path) => !leavesRepository(path), 'must not lead out of the repository'));

const cwe = z
  .union(
    [z.string(), z.array(z.string()).max(FINDING_LIMITS.cweCount)],
    'must be a string or a list of strings',
  )
  .transform((value, issues) => {
    const parts = (Array.isArray(value) ? value : value.split(',')).filter((part) => part.trim() !== '');
    if (parts.some((part) => parseCwe(part).length === 0)) issues.addIssue('must name a CWE, such as CWE-79');
    return parseCwe(parts);
  });

const finding = z
  .strictObject({
    rule_id: z.string().min(1).max(FINDING_LIMITS.ruleIdLength),
    title: z.string().min(1).max(FINDING_LIMITS.titleLength),
    description: z.string().max(FINDING_LIMITS.descriptionLength).nullish(),
    severity: z.enum(SEVERITIES),
    cwe: cwe.nullish(),
    file_path: pathInside.check(must((path) => normalizeFilePath(path) !== '', 'must name a file')),
    start_line: line,
    end_line: line,
    fingerprint: z.string().min(1).max(FINDING_LIMITS.fingerprintLength).nullish(),
    reachability: z
      .strictObject({
        callStacks: z.array(z.unknown()).nullish(),
        explanation: z.string().max(FINDING_LIMITS.explanationLength).nullish(),
      })
      .nullish(),
  })
  .check(
    must(({ start_line, end_line }) => end_line >= start_line, {
      path: ['end_line'],
      error: 'must not come before start_line',
    }),
  );

/** The `data` of a `postil.security_scan` event: what one scan covered and everything it found there. */
export const securityScanData = z
  .strictObject({
    repository_id: providerId,
    scan_id: z.string().min(1).max(255),
    revision: z.string().min(1).max(255),
    coverage_scope: z.enum(['repository', 'directories']),
    directories: z.array(pathInside).max(MAX_DIRECTORIES).nullish(),
    /** The scanner; a SARIF log names its own tools. */
    tool: z.string().trim().min(1).max(255).nullish(),
    findings: z.array(finding).max(MAX_RESULTS).nullish(),
    sarif: z.unknown().optional(),
  })
  .check(
    onSound(({ value, issues }) => {
      const fault = (path: string, message: string) =>
        issues.push({ code: 'custom', path: [path], message, input: value });
      const directoryCount = value.directories?.length ?? 0;
      if (value.coverage_scope === 'directories' && directoryCount === 0)
        fault('directories', 'is required when coverage_scope is directories');
      if (value.coverage_scope === 'repository' && directoryCount > 0)
        fault('directories', 'is only allowed when coverage_scope is directories');
      if ((value.findings == null) === (value.sarif == null))
        fault('findings', 'exactly one of findings and sarif is required');
      if (value.tool != null && value.sarif != null)
        fault('tool', 'is only allowed with findings; a SARIF log names its own tools');
    }),
  );

export type SecurityScanData = z.output<typeof securityScanData>;
export type NativeFinding = NonNullable<SecurityScanData['findings']>[number];
