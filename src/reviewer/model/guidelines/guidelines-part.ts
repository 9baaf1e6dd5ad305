import type { ChangeSource } from '../../change/change-source.ts';
import { openTree } from '../../repository/tree-view.ts';
import { type FoundGuidelines, findGuidelines } from './find-guidelines.ts';

export interface GuidelinesRequest {
  readonly change: ChangeSource & { readonly kind: 'commits' };
  /** The patterns of their paths. */
  readonly globs: readonly string[];
  /** The changed files that they may apply to. */
  readonly files: readonly string[];
}

/** Reads the guidelines of the base, not of the head: what the change adds to them is untrusted. */
export async function work({ change, globs, files }: GuidelinesRequest): Promise<FoundGuidelines> {
  const base = openTree(change.repository, change.base);
  try {
    return await findGuidelines(base, globs, files);
  } finally {
    await base.close();
  }
}
