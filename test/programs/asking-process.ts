import { createGitStarter } from '../../src/reviewer/repository/starting/git-starter.ts';

/** A process with a starter of Git, for tests that end it: given the folder of a slow Git it tells the starter's id and waits, else it ends. */
const [searchPath] = process.argv.slice(2);
const { run, pid } = createGitStarter();
const ended = run(['--version'], { folder: '/', searchPath: searchPath ?? process.env.PATH });
if (searchPath !== undefined) process.send!(pid());
await ended;
process.disconnect();
