const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;

/** The environment of programs started by tests: only the paths of programs, temporary files and the compile cache. */
export const childEnvironment: NodeJS.ProcessEnv = { PATH, TMPDIR, NODE_COMPILE_CACHE };
