import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** The version of Postil that is running. The API has its own version, which changes for other reasons (ADR 0071). */
export const productVersion = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
