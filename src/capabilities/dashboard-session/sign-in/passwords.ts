import { concurrencyLimit } from '../../../lib/concurrency/concurrency-limit.ts';

// Loaded when the first password is checked, to save memory on servers that nobody signs in to.
const loadArgon2 = () => import('@node-rs/argon2');

// OWASP's first recommendation for Argon2id, which is the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Each takes a thread and 19 MiB for a while; the remaining threads are left for other work.
const limitToTwo = concurrencyLimit(2);

let decoyHash: Promise<string> | undefined;

/** Hashes a password for storage. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2();
  return limitToTwo(() => hash(password, cost));
}

/** Checks a password against a hash; takes just as long if there is no account or no password. */
export async function isPasswordCorrect(hash: string | null | undefined, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('a password that nobody has');
  const [{ verify }, known] = [await loadArgon2(), hash ?? (await decoyHash)];
  const isSame = await limitToTwo(() => verify(known, password));
  return isSame && hash != null;
}
