const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;

/** All that programs started by tests get of the environment: where programs and temporary files are, and what is compiled already. */
export const childEnvironment: NodeJS.ProcessEnv = { PATH, TMPDIR, NODE_COMPILE_CACHE };
