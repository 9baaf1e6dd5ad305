import assert from 'node:assert/strict';
import type { Answer, Call, TestApp } from './harness.ts';

/** A browser that is signed in to the dashboard. */
export interface TestSession {
  readonly cookie: string;
  call(method: string, path: string, call?: Call): Promise<Answer>;
}

export const password = 'correct horse battery staple';
/** The header that the dashboard's own pages send. */
export const fromDashboard = { 'x-postil-dashboard': '1' };

/** The cookie that a response sets, as a browser sends it back. */
export function cookieOf(answer: Answer, name = 'postil_session'): string {
  const header = ([] as string[])
    .concat(answer.headers['set-cookie'] ?? [])
    .find((text) => text.startsWith(`${name}=`));
  assert.ok(header, `the answer sets ${name}: ${answer.text}`);
  return header.split(';', 1)[0]!;
}

/** Sends requests as the dashboard does, with this cookie. */
export function sessionWith(server: Pick<TestApp, 'call'>, cookie: string): TestSession {
  return {
    cookie,
    call: (method, path, call = {}) =>
      server.call(method, path, { ...call, headers: { cookie, ...fromDashboard, ...call.headers } }),
  };
}

/** Invites a person and signs them in with the link. */
export async function signInAs(
  server: TestApp,
  email: string,
  { isInstallationAdmin = false } = {},
): Promise<TestSession> {
  const invited = await server.operator('POST', '/operator/v1/dashboard-invitations', {
    email,
    installation_admin: isInstallationAdmin,
  });
  assert.equal(invited.status, 201, invited.text);
  const accepted = await server.call('POST', '/dashboard/v1/invitations/accept', {
    headers: fromDashboard,
    body: { token: new URL(invited.json.url).hash.slice(1), password },
  });
  assert.equal(accepted.status, 204, accepted.text);
  return sessionWith(server, cookieOf(accepted));
}
