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

/** The settings of commands that review without a server. */
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

/** The server whose Learnings a local review uses; undefined unless a URL and a key are set. */
export function readLearningsServer(variables: NodeJS.ProcessEnv = process.env) {
  const { POSTIL_URL: url, POSTIL_API_KEY: key } = variables;
  if (!url || !key) return undefined;
  if (!httpUrl.safeParse(url).success)
    throw new SettingsError('The settings are not valid:\n  POSTIL_URL: must be an http or https URL');
  return { url, key, repositoryId: variables.POSTIL_REPOSITORY_ID || undefined };
}

/** The id of the repository at its Git provider, for commands that need it; undefined if not set. */
export function readRepositoryId(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables.POSTIL_REPOSITORY_ID || undefined;
}

/** The API key of commands that act as its owner; undefined if not set. */
export function readApiKey(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return variables.POSTIL_API_KEY || undefined;
}

/** The environment of a command in a terminal; requires no server or data folder. */
export function readTerminalSettings(variables: NodeJS.ProcessEnv = process.env) {
  // `npm --prefix <checkout> run postil` changes to the checkout, and passes the original folder in INIT_CWD.
  const calledFrom = variables.npm_lifecycle_event === 'postil' ? variables.INIT_CWD : undefined;
  return {
    folder: calledFrom ?? process.cwd(),
    /** The folders of programs, as in PATH. */
    searchPath: variables.PATH,
    home: variables.HOME,
    /**
     * The index file that Git passes to its hooks, relative to the folder: `git commit -a` uses another one than `git commit`.
     */
    indexFile: variables.GIT_INDEX_FILE,
    isTerminal: process.stdout.isTTY === true,
    hasColour: process.stdout.isTTY === true && !variables.NO_COLOR && variables.TERM !== 'dumb',
  };
}
