const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/**
 * Keys, secrets, tokens and cursors: long, and different in every run. They may begin with any character of their
 * alphabet, so only the prefixes that keys have are kept, and a token may begin with `-`.
 */
const random = /(?<![\w-])(?<kind>pst_|pss_)?(?=[\w-]*[\dA-Z])(?=[\w-]*[A-Za-z])[\w-]{30,}/g;
const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;
/** The scores of a search result, which depend on the ranking algorithm. */
const ranks = new Set(['score', 'meaning', 'words']);
const exampleUuid = /^00000000-0000-7000-8000-\d{12}$/;

/** Replaces values that differ from run to run with similar constant ones; equal values get the same replacement. */
export function stabilize(hostUrl: string) {
  const uuids = new Map<string, string>();
  const stableUuid = (found: string) => {
    const known = uuids.get(found) ?? `00000000-0000-7000-8000-${String(uuids.size + 1).padStart(12, '0')}`;
    uuids.set(found, known);
    return known;
  };
  const text = (given: string) =>
    given
      .replaceAll(hostUrl, 'https://git.acme.test')
      .replaceAll(webhookSecret, 'whsec_ZXhhbXBsZQ==')
      .replaceAll(uuid, stableUuid)
      .replaceAll(random, (found, kind: string | undefined) =>
        exampleUuid.test(found) ? found : `${kind ?? ''}example`,
      );
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return given.startsWith('diff --git') ? given : text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    // `$ref` is left out, for example of SCIM references, because readers of an API description resolve it even within examples.
    const entries = Object.entries(given).filter(([name]) => name !== '$ref');
    return Object.fromEntries(entries.map(([name, inner]) => [name, ranks.has(name) ? 0.5 : value(inner)]));
  };
  return value;
}
