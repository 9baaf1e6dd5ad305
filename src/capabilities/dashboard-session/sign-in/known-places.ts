import { hashSecret, newSecret } from '../../../access/session.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { networkOf } from '../../../lib/network-of.ts';
import type { SignInOrigin } from '../deps.ts';

export const deviceSeconds = 90 * 24 * 60 * 60;
const maxPlaces = 50;

/** Where a sign-in comes from: a browser or network the person has used before, or one that is new for them. */
export interface Place {
  readonly kind: 'device' | 'network' | 'unknown';
  readonly hash: Buffer;
}

/** Names the network of an address; rate limits and known places do not tell apart addresses within it. */
export function networkName(ipAddress: string | null | undefined): string {
  return ipAddress == null ? 'unknown' : networkOf(ipAddress);
}

function hashPlaces({ device, ipAddress }: SignInOrigin) {
  return {
    device: device === undefined ? null : hashSecret(`device ${device}`),
    network: hashSecret(`network ${networkName(ipAddress)}`),
  };
}

/** Finds out whether the person with this email address, if there is one, has signed in from here before. */
export async function findPlace(db: Db, email: string, origin: SignInOrigin): Promise<Place> {
  const { device, network } = hashPlaces(origin);
  const rows = await db<{ place_hash: Buffer }[]>`
    SELECT k.place_hash FROM dashboard_known_places k JOIN people p ON p.id = k.person_id
    WHERE p.email = ${email} AND k.place_hash IN (${device}::bytea, ${network})
      AND k.last_used_at > ${new Date(origin.now.getTime() - deviceSeconds * 1000)}`;
  const isKnown = (hash: Buffer) => rows.some(({ place_hash }) => place_hash.equals(hash));
  if (device !== null && isKnown(device)) return { kind: 'device', hash: device };
  return { kind: isKnown(network) ? 'network' : 'unknown', hash: network };
}

/**
 * Remembers where a person has signed in, and returns the device id for the browser: the one it sent if it already belongs
 * to this person, otherwise a new one. An id that somebody else may have planted in the browser is never adopted.
 */
export async function rememberPlace(
  tx: Tx,
  person: { id: PersonId; email: string },
  origin: SignInOrigin,
): Promise<string> {
  const { kind } = await findPlace(tx, person.email, origin);
  const device = kind === 'device' ? origin.device! : newSecret();
  const hashes = hashPlaces({ ...origin, device });
  await tx`
    INSERT INTO dashboard_known_places (person_id, place_hash, last_used_at)
    VALUES (${person.id}, ${hashes.device}, ${origin.now}), (${person.id}, ${hashes.network}, ${origin.now})
    ON CONFLICT (person_id, place_hash) DO UPDATE SET last_used_at = excluded.last_used_at`;
  await tx`
    DELETE FROM dashboard_known_places WHERE person_id = ${person.id} AND place_hash NOT IN (
      SELECT place_hash FROM dashboard_known_places WHERE person_id = ${person.id}
      ORDER BY last_used_at DESC, place_hash LIMIT ${maxPlaces})`;
  return device;
}

/** Forgets where a person has signed in, except for the current place, if given. */
export async function forgetPlaces(db: Db, personId: PersonId, current?: SignInOrigin): Promise<void> {
  const { device, network } = current === undefined ? { device: null, network: null } : hashPlaces(current);
  await db`
    DELETE FROM dashboard_known_places WHERE person_id = ${personId}
      AND place_hash IS DISTINCT FROM ${device}::bytea AND place_hash IS DISTINCT FROM ${network}::bytea`;
}
