import { z } from 'zod';
import { faultsOf } from './lib/wire/faults.ts';
import { modelEnvironment, modelFaults, modelSettingsOf } from './reviewer/model/model-settings.ts';
import { processEnvironment, processSettingsOf } from './reviewer/process/process-settings.ts';
import { httpUrl } from './setting-values.ts';
import { SettingsError } from './settings.ts';

const localEnvironment = z.object({
  ...modelEnvironment.shape,
  ...processEnvironment.shape,
  POSTIL_OSV_DIR: z.string().optional(),
});

/** What a command reviews with that needs no server. */
export function readLocalReviewSettings(variables: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = localEnvironment.safeParse(given);
  const faults = [...(result.success ? [] : faultsOf(result.error)), ...modelFaults(given)];
  if (!result.success || faults.length > 0)
    throw new SettingsError(`The settings are not valid:\n  ${faults.join('\n  ')}`);
  return {
    ...modelSettingsOf(result.data),
    reviewProcesses: processSettingsOf(result.data),
    /** A folder with OSV documents. */
    osvFolder: result.data.POSTIL_OSV_DIR,
  };
}

/** The server whose Learnings take part in a local review; none without a key. */
export function readLearningsServer(variables: NodeJS.ProcessEnv = process.env) {
  const { POSTIL_URL: url, POSTIL_API_KEY: key } = variables;
  if (!url || !key) return undefined;
  if (!httpUrl.safeParse(url).success)
    throw new SettingsError('The settings are not valid:\n  POSTIL_URL: must be an http or https URL');
  return { url, key, repositoryId: variables.POSTIL_REPOSITORY_ID || undefined };
}

/** The id of the repository at its Git provider, where a command needs one. */
export function readRepositoryId(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables.POSTIL_REPOSITORY_ID || undefined;
}

/** The key with which a command acts for its owner. */
export function readApiKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables.POSTIL_API_KEY || undefined;
}

/** What a command in a terminal needs to know of it; no server, no folder. */
export function readTerminalSettings(variables: NodeJS.ProcessEnv = process.env) {
  // `npm --prefix <checkout> run postil` changes into the checkout and says where it was called.
  const calledFrom = variables.npm_lifecycle_event === 'postil' ? variables.INIT_CWD : undefined;
  return {
    folder: calledFrom ?? process.cwd(),
    /** Where programs are looked for. */
    searchPath: variables.PATH,
    home: variables.HOME,
    /** What Git tells its hooks, relative to the folder: `git commit -a` has another index than `git commit`. */
    indexFile: variables.GIT_INDEX_FILE,
    isTerminal: process.stdout.isTTY === true,
    hasColour: process.stdout.isTTY === true && !variables.NO_COLOR && variables.TERM !== 'dumb',
  };
}
