import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { hostToken } from '../../test/hosts/forge/sample-forge.ts';
import { startMailServer } from '../../test/mail-server.ts';
import { urlOf } from '../../test/postgres.ts';
import { fromDashboard, password } from '../../test/session.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { type ServerProcess, startServer } from '../metrics/server-process.ts';
import { Calls, type Sender } from './calls.ts';
import type { Company } from './company.ts';
import { week } from './week.ts';

/** A Postil installation with the company, as a process of its own with a PostgreSQL that syncs to disk. */
export interface Installation {
  readonly server: ServerProcess;
  readonly database: Database;
  readonly calls: Calls;
  /** The server's data folder and its folder for temporary files. */
  readonly folders: { readonly data: string; readonly temporary: string };
  readonly tenant: { readonly provider: 'gitea'; readonly org_id: string; readonly instance: string };
  /** Keys of people, one of which is an admin's. */
  readonly adminKey: string;
  readonly keys: readonly string[];
  readonly agentKey: string;
  /** Signed-in people, and the query parameter that names the organization. */
  readonly sessions: readonly Sender[];
  readonly scope: string;
  /** The number of webhooks and mails that were received since the last call. */
  takeReceived(): { readonly webhooks: number; readonly mails: number };
  stop(): Promise<void>;
}

const signedIn = 12;

export async function startInstallation(folder: string, company: Company): Promise<Installation> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres'), durable: true });
    undo.push(() => postgres.stop());
    const database = openDatabase(postgres.target, { maxConnections: 2 });
    undo.push(() => database.close());
    const mail = await startMailServer();
    undo.push(() => mail.close());
    const receiver = await startWebhookReceiver();
    undo.push(() => receiver.close());
    const folders = { data: path.join(folder, 'data'), temporary: path.join(folder, 'temporary') };
    await mkdir(folders.temporary, { recursive: true });
    const server = await startServer({
      DATABASE_URL: urlOf(postgres.target),
      POSTIL_DATA_DIR: folders.data,
      POSTIL_LOG_LEVEL: 'warn',
      POSTIL_WEBHOOK_ALLOW: '127.0.0.1',
      POSTIL_SMTP_URL: `smtp://${mail.settings.host}:${mail.settings.port}`,
      POSTIL_SMTP_FROM: mail.settings.from,
      POSTIL_PUBLIC_URL: 'http://postil.test',
      TMPDIR: folders.temporary,
    });
    undo.push(() => server.stop());
    const calls = new Calls(server.url);
    const joined = await join({ server, calls, database }, company, receiver.url);
    return {
      server,
      database,
      calls,
      folders,
      ...joined,
      takeReceived: () => ({
        webhooks: receiver.calls.splice(0).length,
        mails: mail.mails.splice(0).length,
      }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = Pick<Installation, 'server' | 'calls' | 'database'>;

async function must(calls: Calls, ...given: Parameters<Calls['send']>) {
  const answer = await calls.send(...given);
  if (answer.status < 200 || answer.status >= 300)
    throw new Error(`${given[3]}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return answer.json;
}

/** Connects the company's host, and sets up its people's keys and sessions. */
async function join({ server, calls, database }: Started, company: Company, receiverUrl: string) {
  const connection = await server.operator('POST', '/connections', {
    provider: 'gitea',
    url: company.host.url,
    instance: 'git',
    credentials: { token: hostToken },
    organizations: ['acme'],
    review: 'on',
  });
  const health = async () => (await server.operator('GET', `/connections/${connection.id}`)).health;
  while ((await health()).last_read_at === null) await sleep(250);
  while (company.host.state.organizations[0]!.hooks.length === 0) await sleep(50);
  company.host.takeDeliveries();
  const tenant = { provider: 'gitea', org_id: String(company.organizationId), instance: 'git' } as const;
  const keyOf = async (kind: 'user' | 'agentic', owner: number): Promise<string> => {
    const request = { name: 'soak', kind, ...tenant, owner: String(owner) };
    return (await server.operator('POST', '/keys', request)).value;
  };
  const adminKey = await keyOf('user', company.admin.id);
  const admin: Sender = { key: adminKey };
  const firstPeople = company.people.slice(0, 500).map(({ id }) => String(id));
  for (let first = 0; first < firstPeople.length; first += 100)
    await must(calls, 'set up', admin, 'POST', '/v1/users/seats', {
      action: 'assign',
      user_ids: firstPeople.slice(first, first + 100),
    });
  const keys: string[] = [];
  for (const { id } of company.people.slice(1, 9)) keys.push(await keyOf('user', id));
  const agentKey = await keyOf('agentic', company.admin.id);
  await must(calls, 'set up', admin, 'POST', '/v1/webhooks', {
    url: receiverUrl,
    types: ['postil.member.changed', 'postil.review.finished', 'postil.security.opened'],
  });
  const [row] = await database.sql<{ id: string }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = ${tenant.org_id}`;
  const scope = `scope=organization:${row!.id}`;
  const sessions: Sender[] = [];
  for (const { email } of company.people.slice(0, signedIn)) sessions.push(await signIn(server, email));
  await makeDigests(calls, sessions[0]!, scope);
  return { tenant, adminKey, keys, agentKey, sessions, scope };
}

async function signIn(server: ServerProcess, email: string): Promise<Sender> {
  const { url } = await server.operator('POST', '/dashboard-invitations', {
    email,
    installation_admin: false,
  });
  const answer = await fetch(`${server.url}/dashboard/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromDashboard },
    body: JSON.stringify({ token: new URL(url).hash.slice(1), password }),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`nobody is signed in: ${answer.status} ${await answer.text()}`);
  return { headers: { cookie: cookie.split(';', 1)[0]!, ...fromDashboard } };
}

/** One digest for each of the teams; they become due in the course of the week. */
async function makeDigests(calls: Calls, admin: Sender, scope: string): Promise<void> {
  for (let index = 0; index < week['digest due']; index += 1) {
    const team = await must(calls, 'set up', admin, 'POST', `/dashboard/v1/teams?${scope}`, {
      name: `Team ${index}`,
    });
    await must(calls, 'set up', admin, 'POST', `/dashboard/v1/digests?${scope}`, {
      team_id: team.id,
      recipients: [`team-${index}@acme.test`, `lead-${index}@acme.test`],
    });
  }
}
