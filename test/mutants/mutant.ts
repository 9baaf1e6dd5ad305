import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A small fault in one rule of the product, and the nearby tests that must detect it. */
export interface Mutant {
  readonly name: string;
  /** The consequence of the fault for users. */
  readonly why: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** The test files to run. */
  readonly tests: readonly string[];
  /** The names of the tests to run in these files, if the others take long. */
  readonly named?: readonly string[] | undefined;
}

/** Returns the text of the file with the fault; throws if the search text does not occur exactly once. */
export async function mutate(root: string, { name, file, from, to }: Mutant): Promise<string> {
  const text = await readFile(path.join(root, file), 'utf8');
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${name}: its text occurs ${count} times in ${file}, not once`);
  return text.replace(from, () => to);
}
