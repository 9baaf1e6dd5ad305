import type { Configuration, CustomFetch } from 'openid-client';
import type { Outbound } from '../../../outbound/outbound.ts';
import { outboundFetch } from '../../../outbound/outbound-fetch.ts';
import type { OidcSettings } from '../deps.ts';

/** Metadata, keys and tokens of real providers are a few KiB. */
const limits = { maxAnswerBytes: 256 * 1024 };

/** The provider does not answer, or with a fault of its own; the message says where. */
class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Calls the provider; what cannot be used is reported with its address, which the library leaves out. */
function providerFetch(outbound: Outbound): CustomFetch {
  const call = outboundFetch(outbound, limits) as CustomFetch;
  return async (url, options) => {
    const where = url.split('?', 1)[0];
    const answer = await call(url, options).catch((cause: Error) => {
      throw new ProviderUnavailable(`${where}: ${cause.message}`, { cause });
    });
    // Refusals are 400, 401 and 403.
    if (answer.status === 404 || answer.status >= 500)
      throw new ProviderUnavailable(`${where} answered ${answer.status}`);
    return answer;
  };
}

// Loaded on the first single sign-on.
export const loadLibrary = () => import('openid-client');
const discovered = new WeakMap<OidcSettings, Promise<Configuration>>();

/**
 * Reads what the provider publishes now. A configuration keeps the keys it has read, so each sign-in is completed with a new one:
 * a key that the provider replaced or withdrew counts at once.
 */
export async function discover(settings: OidcSettings, outbound: Outbound): Promise<Configuration> {
  const openid = await loadLibrary();
  const issuer = new URL(settings.issuer);
  return openid.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
    [openid.customFetch]: providerFetch(outbound),
    execute: [
      // Without this, the library trusts the connection that an ID token came over instead of its signature.
      openid.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  });
}

/** The same, as it was when first asked; it is repeated only after a failure. */
export function discoverOnce(settings: OidcSettings, outbound: Outbound): Promise<Configuration> {
  const known = discovered.get(settings);
  if (known !== undefined) return known;
  const discovery = discover(settings, outbound);
  discovered.set(settings, discovery);
  discovery.catch(() => discovered.delete(settings));
  return discovery;
}

/** Whether a sign-in failed because the provider, or its keys, could not be read, rather than because it was refused. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ProviderUnavailable || (error instanceof Error && isUnavailable(error.cause));
}
