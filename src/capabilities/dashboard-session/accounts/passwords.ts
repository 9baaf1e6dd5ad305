import { concurrencyLimit } from '../../../lib/concurrency-limit.ts';

// Loaded when the first password is checked, so that a server nobody signs in to does not carry it.
const argon2 = () => import('@node-rs/argon2');

// OWASP's first choice for Argon2id; the library's default algorithm is Argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Each takes a thread and 19 MiB for a while; the others are left to those who are not signing in.
const twoAtOnce = concurrencyLimit(2);

let decoy: Promise<string> | undefined;

/** The hash that is stored in place of a password. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return twoAtOnce(() => hash(password, cost));
}

/** Tells whether the password is the one of the hash; takes as long where there is no account or no password. */
export async function isPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has');
  const [{ verify }, known] = [await argon2(), hash ?? (await decoy)];
  const isSame = await twoAtOnce(() => verify(known, password));
  return isSame && hash != null;
}
