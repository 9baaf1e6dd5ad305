import { readFile } from 'node:fs/promises';

/**
 * The environment variable with the path of the file in which test processes record the duration and processor time of each test
 * file.
 */
export const DURATIONS_VARIABLE = 'POSTIL_TEST_DURATIONS';

const COUNT = 10;

/**
 * The slowest test files, with their duration and processor time in seconds; other load on the machine only affects the former.
 * Empty if nothing was recorded.
 */
export async function slowestFiles(): Promise<string[]> {
  const { [DURATIONS_VARIABLE]: place } = process.env;
  const text = place === undefined ? '' : await readFile(place, 'utf8').catch(() => '');
  const durations = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string, string])
    .map(([ms, usedMs, file]) => ({ seconds: Number(ms) / 1000, used: Number(usedMs) / 1000, file }));
  return durations
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, COUNT)
    .map(
      ({ seconds, used, file }) =>
        `${seconds.toFixed(1)} s, ${used.toFixed(1)} s of them on a processor  ${file}`,
    );
}
