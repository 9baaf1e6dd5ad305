import type { Location, Log, Region, ReportingDescriptor, Result } from 'sarif';
import { productVersion } from '../../lib/product-version.ts';
import { cweTag } from '../../lib/sarif/cwe.ts';
import { uriOfFilePath } from '../../lib/sarif/file-path.ts';
import type { Finding, RelatedPlace } from '../../reviewer/finding.ts';
import { withoutQuiet } from '../../reviewer/judge/attention.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';

const levels: Record<Finding['severity'], Result.level> = {
  critical: 'error',
  major: 'error',
  minor: 'warning',
  trivial: 'note',
  info: 'note',
};

/** The findings as a SARIF 2.1.0 log. The findings of scanners are exported elsewhere, with their history. */
export function formatSarif(result: ReviewResult): string {
  const findings = withoutQuiet([...result.findings, ...result.overflow], result.quiet ?? []);
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

function ruleOf({ source, title, severity, cwe }: Finding): ReportingDescriptor {
  return {
    id: source.name,
    shortDescription: { text: title },
    defaultConfiguration: { level: levels[severity] },
    ...(cwe === null ? {} : { properties: { tags: ['security', cweTag(cwe)] } }),
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
    locations: [locationOf(finding.path, hasLines ? { startLine, endLine } : undefined)],
    ...(finding.related.length === 0 ? {} : { relatedLocations: finding.related.map(relatedLocation) }),
    partialFingerprints: { 'postilFinding/v1': finding.identity },
    properties: {
      severity: finding.severity,
      category: finding.category,
      confidence: finding.confidence,
      rules: finding.rules,
      ...(finding.cwe === null ? {} : { tags: [cweTag(finding.cwe)] }),
    },
  };
}

function locationOf(path: string, region: Region | undefined): Location {
  const artifactLocation = { uri: uriOfFilePath(path), uriBaseId: '%SRCROOT%' };
  return { physicalLocation: { artifactLocation, ...(region === undefined ? {} : { region }) } };
}

function relatedLocation({ path, startLine, endLine, text }: RelatedPlace, index: number): Location {
  return { id: index + 1, ...locationOf(path, { startLine, endLine }), message: { text } };
}
