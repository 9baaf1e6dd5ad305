import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder with a replacement for npm, since starting npm takes longer than most commands. It runs `npm run -s postil --
 * …` as npm would in this checkout, also with `--prefix`, and passes everything else to npm. Returns the search path with this
 * folder first.
 */
export async function putQuickNpmFirst(
  folder: string,
  checkout: string,
  searchPath: string,
): Promise<string> {
  const { scripts } = JSON.parse(await readFile(path.join(checkout, 'package.json'), 'utf8'));
  const program = [
    '#!/bin/sh',
    'postil() {',
    `  export INIT_CWD="$PWD" npm_lifecycle_event=postil PATH='${checkout}/node_modules/.bin:'"$PATH"`,
    `  cd '${checkout}'`,
    `  ${scripts.postil} "$@"`,
    '  exit',
    '}',
    `isCheckout() { [ "$(cd "$1" && pwd)" = '${checkout}' ]; }`,
    'case "$*" in',
    '  "run -s postil -- "*) isCheckout . && shift 4 && postil "$@" ;;',
    '  "--prefix $2 run -s postil -- "*) isCheckout "$2" && shift 6 && postil "$@" ;;',
    'esac',
    `PATH='${searchPath}' exec npm "$@"`,
  ];
  await mkdir(folder);
  await writeFile(path.join(folder, 'npm'), `${program.join('\n')}\n`, { mode: 0o755 });
  return `${folder}:${searchPath}`;
}
