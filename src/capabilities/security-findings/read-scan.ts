import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import { type Coverage, covers, normalizeDirectories } from './coverage.ts';
import { fitReachability } from './fit-reachability.ts';
import { normalizeFilePath } from './sarif/file-path.ts';
import { fingerprintFindings } from './sarif/fingerprint.ts';
import { sarifFindings } from './sarif/read-sarif.ts';
import { SarifError } from './sarif/sarif-error.ts';
import type { ScanFinding } from './sarif/scan-finding.ts';
import type { NativeFinding, SecurityScanData } from './scan-data.ts';

const FINDINGS_PER_TURN = 500;

/** A finding with its identity in the repository, as it is stored. */
export type DetectedFinding = Omit<ScanFinding, 'fingerprint' | 'partialFingerprint' | 'snippet'> & {
  readonly fingerprint: string;
};

/** A scan ready to be stored: every finding once, and only what it says about the part it looked at. */
export interface PreparedScan {
  readonly scanId: string;
  readonly revision: string;
  readonly coverage: Coverage;
  readonly findings: readonly DetectedFinding[];
}

/**
 * Reads a scan, given natively or as a SARIF log, and gives each finding its identity; throws INVALID_REQUEST for
 * what is not SARIF 2.1.0. Other requests get their turn in between.
 */
export async function readScan(data: SecurityScanData): Promise<PreparedScan> {
  const coverage = data.coverage_scope === 'repository' ? null : normalizeDirectories(data.directories ?? []);
  const found = data.findings == null ? await readLog(data.sarif) : data.findings.map(readNative);
  const fingerprints = fingerprintFindings(found);

  const findings = new Map<string, DetectedFinding>();
  for (const [index, finding] of found.entries()) {
    const key = fingerprints[index]!;
    if (findings.has(key) || !covers(coverage, finding.filePath)) continue;
    const { fingerprint, partialFingerprint, snippet, ...kept } = finding;
    const reachability = kept.reachability && fitReachability(kept.reachability);
    findings.set(key, { ...kept, reachability, fingerprint: key });
  }
  if (found.length > 0 && findings.size === 0) {
    throw new AppError(
      'INVALID_REQUEST',
      'data.directories: no finding lies inside of them; paths must start at the root of the repository',
    );
  }
  return { scanId: data.scan_id, revision: data.revision, coverage, findings: [...findings.values()] };
}

async function readLog(log: unknown): Promise<ScanFinding[]> {
  const findings: ScanFinding[] = [];
  try {
    for (const finding of sarifFindings(log)) {
      findings.push(finding);
      if (findings.length % FINDINGS_PER_TURN === 0) await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    const place = error.path === '' ? 'data.sarif' : `data.sarif.${error.path}`;
    throw new AppError('INVALID_REQUEST', `${place}: ${error.reason}`);
  }
  return findings;
}

function readNative(finding: NativeFinding): ScanFinding {
  const { reachability } = finding;
  return {
    ruleId: finding.rule_id,
    title: finding.title,
    description: finding.description ?? null,
    severity: finding.severity,
    cwe: finding.cwe ?? [],
    filePath: normalizeFilePath(finding.file_path),
    startLine: finding.start_line,
    endLine: finding.end_line,
    fingerprint: finding.fingerprint ?? null,
    partialFingerprint: null,
    snippet: null,
    suppressed: null,
    reachability: reachability
      ? { callStacks: reachability.callStacks ?? [], explanation: reachability.explanation ?? null }
      : null,
  };
}
