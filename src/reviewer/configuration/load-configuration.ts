import { GitError } from '../repository/run-git.ts';
import type { CheckSettings } from './checks-shape.ts';
import { readCodeRabbitFile } from './read-coderabbit-file.ts';
import { type ConfigurationFault, readPostilFile, tooLong } from './read-postil-file.ts';
import { type PostilFile, type ReviewConfiguration, resolveConfiguration } from './review-configuration.ts';

/** The possible names of a configuration file; the first that exists is used. */
export const postilFileNames = ['.postil.yaml', '.postil.yml'] as const;
const codeRabbitNames = ['.coderabbit.yaml', '.coderabbit.yml'] as const;
export const configurationFileNames: readonly string[] = [...postilFileNames, ...codeRabbitNames];

type ReadAtBase = (path: string) => Promise<string | null | undefined>;

export interface LoadedConfiguration {
  readonly configuration: ReviewConfiguration;
  /** The file that was used; null if there is none or it is faulty. */
  readonly file: string | null;
  /** The checks in this file. */
  readonly checks: CheckSettings;
  /** Why the repository's checks are unknown; null if they are known, or its faulty file does not mention checks. */
  readonly unknownChecks: string | null;
  /** Notes for the reader: a faulty file, settings without a counterpart. */
  readonly notes: readonly string[];
}

/**
 * Loads the configuration of a repository from its base. `readAtBase` returns undefined if there is no such file, and null if
 * its content is missing locally, as in a partial clone. If a file is faulty, the defaults are used and a note says so: a
 * review with defaults is better than no review.
 */
export async function loadConfiguration(
  readAtBase: ReadAtBase,
  organizationDefaults?: PostilFile,
): Promise<LoadedConfiguration> {
  const use = (file: string | null, said: PostilFile | undefined, notes: readonly string[] = []) => ({
    configuration: resolveConfiguration(organizationDefaults, said),
    file,
    checks: said?.checks ?? {},
    unknownChecks: null,
    notes,
  });
  for (const name of postilFileNames) {
    const read = await readBounded(readAtBase, name, readPostilFile);
    if (read === undefined) continue;
    if (!('faults' in read)) return use(name, read.file);
    const note = faultNote(name, read.faults);
    return {
      ...use(null, undefined, [note]),
      unknownChecks: read.text?.includes('checks') === false ? null : note,
    };
  }
  for (const name of codeRabbitNames) {
    const read = await readBounded(readAtBase, name, readCodeRabbitFile);
    if (read === undefined) continue;
    if ('faults' in read) return use(null, undefined, [faultNote(name, read.faults)]);
    const { ignored } = read;
    return use(
      name,
      read.file,
      ignored.length === 0 ? [] : [`${name}: no counterpart for ${ignored.join(', ')}`],
    );
  }
  return use(null, undefined);
}

const notHere: ConfigurationFault = { line: 1, column: 1, message: 'its content is not available' };

/** `text` is absent if the file could not be read. */
interface FaultyFile {
  readonly faults: readonly ConfigurationFault[];
  readonly text?: string;
}

/** Reads and parses a file. One that is too large for Git to return is faulty, too. Undefined if there is none. */
async function readBounded<Read>(
  readAtBase: ReadAtBase,
  name: string,
  read: (text: string) => Read,
): Promise<(Read & { readonly text?: string }) | FaultyFile | undefined> {
  try {
    const text = await readAtBase(name);
    if (text === null) return { faults: [notHere] };
    return text === undefined ? undefined : { ...read(text), text };
  } catch (error) {
    if (error instanceof GitError && error.fault === 'too_much') return { faults: [tooLong] };
    throw error;
  }
}

/** The first fault with its place, and how many more there are. */
function faultNote(name: string, faults: readonly ConfigurationFault[]): string {
  const [first] = faults;
  if (first === notHere) return `${name} could not be read, so the defaults apply: ${first.message}`;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return `${name} is invalid, so the defaults apply: line ${first!.line}, column ${first!.column}: ${first!.message}${more}`;
}
