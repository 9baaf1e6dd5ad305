import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ProviderRepositoryId } from '../../../lib/ids.ts';
import { faultsOf } from '../../../lib/wire/faults.ts';
import { unstorableFault } from '../../../lib/wire/unstorable-text.ts';
import { providerId } from '../../../lib/wire/wire.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { filePath, learningText, sourceUrl } from './learning-fields.ts';

const itemShape = z.strictObject({
  repository_id: providerId,
  learning: learningText,
  file: filePath.optional(),
  source_url: sourceUrl.optional(),
});

/** The part of an item that identifies its record: enough to derive an id. */
export interface NamedContent {
  readonly repositoryId: ProviderRepositoryId;
  readonly text: string;
}

export interface ValidItem extends NamedContent {
  readonly index: number;
  readonly file: string | null;
  readonly sourceUrl: string | null;
}

/** An invalid item; `named` is set when only other fields are invalid. */
export interface InvalidItem {
  readonly index: number;
  readonly fault: string;
  readonly named: NamedContent | null;
}

const slowTextLength = 2000;

const naming = z.object({ repository_id: providerId, learning: learningText });

function nameOf(item: unknown): NamedContent | null {
  const { data } = naming.safeParse(item);
  if (data === undefined || unstorableFault(data) !== undefined) return null;
  return { repositoryId: data.repository_id as ProviderRepositoryId, text: data.learning };
}

// Faults quote the caller's own field names, and one of them may be a misplaced credential.
function withRedactedPath(fault: string): string {
  return fault.replace(/^.*(?=: )/su, (path) => redactCredentials(path));
}

/** Checks one item and redacts its credentials; faults quote only field names, which are redacted too. */
export function readItem(item: unknown, index: number): ValidItem | InvalidItem {
  const path = `data[${index}]`;
  const unstorable = unstorableFault(item, path);
  if (unstorable !== undefined) return { index, fault: withRedactedPath(unstorable), named: nameOf(item) };
  const { success, data, error } = itemShape.safeParse(item);
  if (!success)
    return { index, fault: faultsOf(error, path, redactCredentials).join('; '), named: nameOf(item) };
  return {
    index,
    repositoryId: data.repository_id as ProviderRepositoryId,
    text: data.learning,
    file: data.file ?? null,
    sourceUrl: data.source_url ?? null,
  };
}

/** Checks the items of a batch one by one; other requests get their turn after a long text. */
export async function readItems(items: readonly unknown[]): Promise<(ValidItem | InvalidItem)[]> {
  const read: (ValidItem | InvalidItem)[] = [];
  for (const [index, item] of items.entries()) {
    const result = readItem(item, index);
    read.push(result);
    if ('text' in result && result.text.length > slowTextLength) await nextTurn();
  }
  return read;
}
