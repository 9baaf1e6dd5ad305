import type { Log, ReportingDescriptor, Result } from 'sarif';
import { uriOfFilePath } from '../../capabilities/security-findings/sarif/file-path.ts';
import { productVersion } from '../../lib/product-version.ts';
import type { Finding } from '../../reviewer/finding.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';

const levels: Record<Finding['severity'], Result.level> = {
  critical: 'error',
  major: 'error',
  minor: 'warning',
  trivial: 'note',
  info: 'note',
};

/** The findings as a SARIF 2.1.0 log. What came in from scanners is exported elsewhere, with its history. */
export function formatSarif(result: ReviewResult): string {
  const findings = [...result.findings, ...result.overflow];
  const rules = [...new Map(findings.map((finding) => [finding.source.name, ruleOf(finding)])).values()];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Postil', version: productVersion, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: result.status === 'succeeded',
            ...(result.reason === null
              ? {}
              : { toolExecutionNotifications: [{ level: 'warning', message: { text: result.reason } }] }),
          },
        ],
        results: findings.map((finding) => resultOf(finding, indexes.get(finding.source.name)!)),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function ruleOf({ source, title, severity }: Finding): ReportingDescriptor {
  return {
    id: source.name,
    shortDescription: { text: title },
    defaultConfiguration: { level: levels[severity] },
  };
}

function resultOf(finding: Finding, ruleIndex: number): Result {
  const { startLine, endLine } = finding;
  const hasLines = finding.side === 'new' && startLine !== null && endLine !== null;
  return {
    ruleId: finding.source.name,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: `${finding.title}\n\n${finding.body}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOfFilePath(finding.path), uriBaseId: '%SRCROOT%' },
          ...(hasLines ? { region: { startLine, endLine } } : {}),
        },
      },
    ],
    partialFingerprints: { 'postilFinding/v1': finding.identity },
    properties: { severity: finding.severity, category: finding.category },
  };
}
