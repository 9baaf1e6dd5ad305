import type { ChangeSource } from '../../change/change-source.ts';
import { openTree } from '../../repository/tree-view.ts';
import { type FoundGuidelines, findGuidelines } from './find-guidelines.ts';

export interface GuidelinesRequest {
  readonly change: ChangeSource & { readonly kind: 'commits' };
  /** What names them. */
  readonly globs: readonly string[];
  /** The changed files that they may hold for. */
  readonly files: readonly string[];
}

/** Reads the guidelines of the base: what the change says of them is data like any other. */
export async function work({ change, globs, files }: GuidelinesRequest): Promise<FoundGuidelines> {
  const base = openTree(change.repository, change.base);
  try {
    return await findGuidelines(base, globs, files);
  } finally {
    await base.close();
  }
}
