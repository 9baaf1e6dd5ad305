import type { Tx } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';

/** Returns the person for each lower-case email address, creating those that are missing. */
export async function ensurePeople(
  tx: Tx,
  emails: readonly string[],
  now: Date,
): Promise<Map<string, PersonId>> {
  const unique = [...new Set(emails)].sort();
  if (unique.length === 0) return new Map();
  await tx`
    INSERT INTO people (id, email, created_at)
    SELECT u.id, u.email, ${now} FROM unnest(${unique.map(() => newUuid())}::uuid[], ${unique}::text[]) AS u (id, email)
    ON CONFLICT (email) DO NOTHING`;
  const rows = await tx<
    { id: PersonId; email: string }[]
  >`SELECT id, email FROM people WHERE email = ANY(${unique}::text[])`;
  return new Map(rows.map(({ id, email }) => [email, id]));
}
