import { readFile } from 'node:fs/promises';

/** The environment variable that names the file in which test processes note how long each test file took. */
export const DURATIONS_VARIABLE = 'POSTIL_TEST_DURATIONS';

const COUNT = 10;

/** The test files that took longest, with their seconds; none if nothing was noted. */
export async function slowestFiles(): Promise<string[]> {
  const { [DURATIONS_VARIABLE]: place } = process.env;
  const text = place === undefined ? '' : await readFile(place, 'utf8').catch(() => '');
  const durations = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string])
    .map(([ms, file]) => ({ seconds: Number(ms) / 1000, file }));
  return durations
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, COUNT)
    .map(({ seconds, file }) => `${seconds.toFixed(1)} s  ${file}`);
}
