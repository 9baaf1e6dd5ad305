import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A small fault in one rule of the product, and the tests next to it that must notice. */
export interface Mutant {
  readonly name: string;
  /** What goes wrong for somebody. */
  readonly why: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Files of tests. */
  readonly tests: readonly string[];
  /** The only tests of these files to run, where the others take long. */
  readonly named?: readonly string[] | undefined;
}

/** The text of the file with the fault in it; throws if the list no longer fits the code. */
export async function mutate(root: string, { name, file, from, to }: Mutant): Promise<string> {
  const text = await readFile(path.join(root, file), 'utf8');
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${name}: its text occurs ${count} times in ${file}, not once`);
  return text.replace(from, () => to);
}
