import { escapeHtml } from '../../../lib/html/escape-html.ts';
import type { AppForm } from '../hosts/host.ts';

/**
 * A separate page that only submits the form to the host, since the dashboard's own pages are not allowed to submit forms. It
 * has no script, so the person presses the button.
 */
export function appFormPage({ action, fields, url }: AppForm & { readonly url: string }) {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const { host, origin } = new URL(url);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Create the app · Postil</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>
<main>
<h1>Create the app on ${escapeHtml(host)}</h1>
<p>${escapeHtml(host)} shows what the app may do and asks you to confirm. You then choose the organizations and repositories it is installed on.</p>
<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button>Continue to ${escapeHtml(host)}</button></form>
<p><a href="/connections">Back to the connections</a></p>
</main>
</html>
`;
  return {
    html,
    // A host may redirect to its sign-in page first.
    contentSecurityPolicy: `default-src 'none'; style-src 'unsafe-inline'; form-action ${origin} https:; base-uri 'none'; frame-ancestors 'none'`,
  };
}
