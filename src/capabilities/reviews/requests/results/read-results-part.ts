import { readFile } from 'node:fs/promises';
import { FaultList } from '../../../../lib/wire/faults.ts';
import { type KeptLog, keepLogs } from '../../../../reviewer/analyzers/kept-logs.ts';
import { LogFault, logsOf, parseForeignJson } from '../../../../reviewer/analyzers/parse-log.ts';
import { resultsBody } from './schemas.ts';

export interface ReadResultsRequest {
  /** A file with the body of the request. */
  readonly file: string;
  /** The folder to write the parsed results to. */
  readonly folder: string;
}

/** What was sent, without the results, which are in files. */
export interface SentResults {
  readonly repositoryId: string;
  readonly orgId: string | null;
  readonly subject: { readonly pullRequest: number } | { readonly head: string };
  readonly logs: readonly KeptLog[];
}

/** Parses results that somebody sent, or reports their faults. */
export async function work({
  file,
  folder,
}: ReadResultsRequest): Promise<SentResults | { readonly faults: readonly string[] }> {
  try {
    const read = resultsBody.safeParse(parseForeignJson(await readFile(file)));
    if (!read.success) {
      const faults = new FaultList();
      faults.addIssues(read.error.issues);
      return { faults: faults.sentences };
    }
    const { repository_id, pull_request, head_revision, org_id, sarif } = read.data;
    return {
      repositoryId: repository_id,
      orgId: org_id ?? null,
      subject: pull_request === undefined ? { head: head_revision! } : { pullRequest: pull_request },
      logs: await keepLogs(folder, logsOf(sarif, 'sarif')),
    };
  } catch (error) {
    if (error instanceof LogFault) return { faults: [error.message] };
    throw error;
  }
}
