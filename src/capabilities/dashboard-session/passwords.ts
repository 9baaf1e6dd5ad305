// Loaded when the first password is checked, so that a server nobody signs in to does not carry it.
const argon2 = () => import('@node-rs/argon2');

// OWASP's first choice for Argon2id; the library's default algorithm is Argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** The hash that is stored in place of a password. */
export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password, cost);
}

/** Tells whether the password is the one of the hash; takes as long where there is no account or no password. */
export async function isPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has');
  const isSame = await (await argon2()).verify(hash ?? (await decoy), password);
  return isSame && hash != null;
}
