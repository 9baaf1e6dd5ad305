import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../lib/app-error.ts';
import { cweOfTags } from '../../../lib/sarif/cwe.ts';
import { normalizeFilePath } from '../../../lib/sarif/file-path.ts';
import { type ReadRun, sarifRuns } from '../../../lib/sarif/read/read-sarif.ts';
import { SarifError } from '../../../lib/sarif/read/sarif-error.ts';
import type { RuleFacts } from '../../../lib/sarif/sarif-rule-facts.ts';
import type { ScanFinding } from '../../../lib/sarif/scan-finding.ts';
import { type ScanTool, toolKey, UNKNOWN_TOOL } from '../../../lib/sarif/scan-tool.ts';
import type { ToolFacts } from '../../../lib/sarif/tool-facts.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { redactStrings } from '../../../reviewer/model/redact-strings.ts';
import { fitReachability } from './fit-reachability.ts';
import { type Coverage, covers, normalizeDirectories, type Unread } from './scan-coverage.ts';
import type { NativeFinding, SecurityScanData } from './scan-data.ts';

const RESULTS_PER_TURN = 500;
/** With more distinct unreadable results, a scan proves nothing about findings it does not contain. */
const MAX_UNREAD = 500;
const MAX_WARNINGS = 20;

/** What one tool reports in a scan. */
export interface ToolScan {
  /** Null if reported natively without a tool; the sender is used instead. */
  readonly tool: string | null;
  /** Null if reported natively. */
  readonly facts: ToolFacts | null;
  readonly findings: ScanFinding[];
  readonly rules: Map<string, RuleFacts>;
  readonly unread: readonly Unread[];
}

/** A `ToolScan` while the log is being read. */
type OpenToolScan = ToolScan & { readonly unread: Unread[] };

/** A scan ready to be stored, limited to the part of the repository it covers. */
export interface PreparedScan {
  readonly scanId: string;
  readonly revision: string;
  readonly coverage: Coverage;
  readonly tools: readonly ToolScan[];
  /** Which parts of the scan were left out, for its sender. */
  readonly warnings: readonly string[];
}

/**
 * Reads a scan, reported natively or as a SARIF log; throws INVALID_REQUEST if the log is not SARIF 2.1.0. Yields to other
 * requests while reading.
 */
export async function readScan(data: SecurityScanData): Promise<PreparedScan> {
  const coverage = data.coverage_scope === 'repository' ? null : normalizeDirectories(data.directories ?? []);
  const { tools, warnings } = data.findings == null ? await readSarifLog(data.sarif) : readNativeScan(data);
  const covered = tools.map((scan) => ({
    ...scan,
    findings: scan.findings
      .filter(({ filePath }) => covers(coverage, filePath))
      .map((finding) => ({
        ...finding,
        reachability: finding.reachability && fitReachability(finding.reachability),
      })),
  }));
  if (countFindings(tools) > 0 && countFindings(covered) === 0) {
    throw new AppError(
      'INVALID_REQUEST',
      'data.directories: contain none of the findings; paths must be relative to the root of the repository',
    );
  }
  return { scanId: data.scan_id, revision: data.revision, coverage, tools: covered, warnings };
}

function countFindings(tools: readonly ToolScan[]): number {
  return tools.reduce((sum, { findings }) => sum + findings.length, 0);
}

function readNativeScan({ tool, findings }: SecurityScanData) {
  const named: ScanTool | null = tool == null ? null : { name: tool, category: null };
  const scan: ToolScan = {
    tool: named && toolKey(named),
    facts: null,
    findings: (findings ?? []).map(readNativeFinding),
    rules: new Map(),
    unread: [],
  };
  return { tools: [scan], warnings: [] };
}

async function readSarifLog(log: unknown): Promise<{ tools: ToolScan[]; warnings: string[] }> {
  const tools = new Map<string, OpenToolScan>();
  const faults: SarifError[] = [];
  let count = 0;
  try {
    for (const run of sarifRuns(log)) {
      const scan = openToolScan(run, tools);
      if (run.lacksFindingsWithoutFile) scan.unread.push({ ruleId: null, filePath: '' });
      for (const result of run.results) {
        if ('unread' in result) {
          const { fault, ...unread } = result.unread;
          faults.push(fault);
          scan.unread.push(unread);
        } else {
          scan.findings.push(withoutCredentials(result.finding));
          if (result.rule) scan.rules.set(result.finding.ruleId, result.rule);
        }
        count += 1;
        if (count % RESULTS_PER_TURN === 0) await nextTurn();
      }
    }
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new AppError('INVALID_REQUEST', describeFault(error));
  }
  return {
    tools: [...tools.values()].map((scan) => ({ ...scan, unread: distinctOrAny(scan.unread) })),
    warnings: describeWarnings(faults),
  };
}

/** Parts that are repeated as they came quote code, in which there may be credentials. */
function withoutCredentials(finding: ScanFinding): ScanFinding {
  const { origin } = finding;
  if (origin?.kept === undefined) return finding;
  const text = JSON.stringify(origin.kept);
  if (redactCredentials(text) === text) return finding;
  return { ...finding, origin: { ...origin, kept: redactStrings(origin.kept) } };
}

function openToolScan({ tool, facts }: ReadRun, tools: Map<string, OpenToolScan>) {
  const key = tool === null ? UNKNOWN_TOOL : toolKey(tool);
  const scan: OpenToolScan = tools.get(key) ?? {
    tool: key,
    facts,
    findings: [],
    rules: new Map(),
    unread: [],
  };
  tools.set(key, scan);
  return scan;
}

function distinctOrAny(unread: readonly Unread[]): Unread[] {
  const known = new Map(unread.map((entry) => [JSON.stringify(entry), entry]));
  return known.size > MAX_UNREAD ? [{ ruleId: null, filePath: null }] : [...known.values()];
}

function describeWarnings(faults: readonly SarifError[]): string[] {
  const shown = faults
    .slice(0, MAX_WARNINGS)
    .map((fault) => `${describeFault(fault)}; the result was left out`);
  const others = faults.length - shown.length;
  return others === 0
    ? shown
    : [...shown, `data.sarif: ${others} more results could not be read and were left out`];
}

function describeFault({ path, reason }: SarifError): string {
  return `${path === '' ? 'data.sarif' : `data.sarif.${path}`}: ${reason}`;
}

function readNativeFinding(finding: NativeFinding): ScanFinding {
  const { reachability } = finding;
  return {
    ruleId: finding.rule_id,
    title: finding.title,
    description: finding.description ?? null,
    severity: finding.severity,
    cwe: finding.cwe ?? cweOfTags([finding.rule_id]),
    filePath: normalizeFilePath(finding.file_path),
    startLine: finding.start_line,
    endLine: finding.end_line,
    startColumn: null,
    endColumn: null,
    fingerprint: finding.fingerprint ?? null,
    partialFingerprint: null,
    snippet: null,
    suppressed: null,
    reachability: reachability
      ? { callStacks: reachability.callStacks ?? [], explanation: reachability.explanation ?? null }
      : null,
    origin: null,
  };
}
