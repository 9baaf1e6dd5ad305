import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

const tokenFile = 'operator-token';
const addressFile = 'server-address';

/** Gives the operator token: the one that was set, else the one kept in the data folder, made at the first start. */
export async function ensureOperatorToken(dataDirectory: string, given: string | undefined) {
  const place = path.join(dataDirectory, tokenFile);
  if (given !== undefined) return { token: given, place: 'POSTIL_OPERATOR_TOKEN' };
  const kept = await readOperatorToken(dataDirectory);
  if (kept !== undefined) return { token: kept, place };
  const token = `pot_${randomBytes(32).toString('base64url')}`;
  try {
    // 'wx': of two processes that start at once, one makes the token and the other reads it.
    const file = await open(place, 'wx', 0o600);
    await file.writeFile(`${token}\n`);
    await file.sync();
    await file.close();
    return { token, place };
  } catch (error) {
    const other = await readOperatorToken(dataDirectory);
    if (other === undefined) throw error;
    return { token: other, place };
  }
}

/** The operator token kept in the data folder, if there is one that may be read. */
export async function readOperatorToken(dataDirectory: string): Promise<string | undefined> {
  return readLine(path.join(dataDirectory, tokenFile));
}

/** Notes where the server listens, so that the command line finds it. */
export async function noteServerAddress(dataDirectory: string, url: string): Promise<() => Promise<void>> {
  const place = path.join(dataDirectory, addressFile);
  await writeFile(`${place}.new`, `${url}\n`);
  await rename(`${place}.new`, place);
  const remove = () => rmSync(place, { force: true });
  process.on('exit', remove);
  return async () => {
    process.off('exit', remove);
    remove();
  };
}

/** Where the server of this data folder listens, if one runs. */
export async function readServerAddress(dataDirectory: string): Promise<string | undefined> {
  return readLine(path.join(dataDirectory, addressFile));
}

async function readLine(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch {
    return undefined;
  }
}
