const { PATH, NODE_COMPILE_CACHE } = process.env;

/** All that programs started by tests get of the environment: where programs are, and what is compiled already. */
export const childEnvironment: NodeJS.ProcessEnv = { PATH, NODE_COMPILE_CACHE };
