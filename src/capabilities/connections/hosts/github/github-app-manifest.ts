import { type AppCreation, HostRefused } from '../host.ts';
import { restClient } from '../rest-client.ts';
import { commitPermission, issuePermission, neededPermissions } from './github-check.ts';
import { apiUrl } from './github-url.ts';
import { hookEvents } from './github-webhook-registration.ts';

const maxNameLength = 34;

interface Conversion {
  readonly id: number;
  readonly pem: string;
  readonly webhook_secret: string;
  readonly html_url: string;
}

/** GitHub Apps by the manifest flow: the host creates the App from a manifest and exchanges a one-time code for its credentials. */
export const gitHubAppCreation: AppCreation = {
  formOf({ url, organization, homeUrl, hookUrl, callbackUrl, setupUrl, state }) {
    const owner = organization === null ? '' : `organizations/${encodeURIComponent(organization)}/`;
    const manifest = {
      name: `Postil ${new URL(homeUrl).hostname}`.slice(0, maxNameLength),
      url: homeUrl,
      hook_attributes: { url: hookUrl, active: true },
      redirect_url: callbackUrl,
      setup_url: setupUrl,
      public: false,
      // Commit statuses are the fallback if the App loses its permission for checks later.
      default_permissions: {
        ...neededPermissions,
        ...commitPermission,
        ...issuePermission,
        statuses: 'write',
        metadata: 'read',
      },
      default_events: hookEvents,
    };
    return {
      action: `${url}/${owner}settings/apps/new?state=${encodeURIComponent(state)}`,
      fields: { manifest: JSON.stringify(manifest) },
    };
  },
  async redeem({ url, code, outbound }) {
    const client = restClient(outbound, apiUrl(url), code, { 'user-agent': 'postil' });
    const path = `/app-manifests/${encodeURIComponent(code)}/conversions`;
    const app = await client.read<Conversion>({ method: 'POST', path });
    if (app === null) throw new HostRefused(404, 'the host does not know this code, or it was already used');
    const page = new URL(app.html_url);
    if (page.origin !== new URL(url).origin)
      throw new HostRefused(200, 'the host returned an app page on another site');
    return {
      credentials: { app_id: String(app.id), private_key: app.pem },
      webhookSecret: app.webhook_secret,
      installUrl: `${page.href.replace(/\/$/, '')}/installations/new`,
    };
  },
};
