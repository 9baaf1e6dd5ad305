import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with a program by the name of npm, which runs `npm run -s postil -- …` as npm does it in this checkout and
 * hands everything else to npm itself: to start npm takes nearly as long as the command that it starts. Returns the search
 * path with this folder first.
 */
export async function putQuickNpmFirst(
  folder: string,
  checkout: string,
  searchPath: string,
): Promise<string> {
  const { scripts } = JSON.parse(await readFile(path.join(checkout, 'package.json'), 'utf8'));
  const program = [
    '#!/bin/sh',
    `if [ "$PWD $1 $2 $3 $4" = '${checkout} run -s postil --' ]; then`,
    '  shift 4',
    '  export INIT_CWD="$PWD" npm_lifecycle_event=postil PATH="$PWD/node_modules/.bin:$PATH"',
    `  ${scripts.postil} "$@"`,
    '  exit',
    'fi',
    `PATH='${searchPath}' exec npm "$@"`,
  ];
  await mkdir(folder);
  await writeFile(path.join(folder, 'npm'), `${program.join('\n')}\n`, { mode: 0o755 });
  return `${folder}:${searchPath}`;
}
