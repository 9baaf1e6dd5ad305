import { hashSecret, newSecret, type Session } from '../../../access/session.ts';
import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { newUuid } from '../../../lib/uuid.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import type { AppForm, HostKind, HostProvider } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { type HostDeps, hostFault } from '../open-host.ts';
import { connectionRequest } from '../schemas.ts';
import { webhookUrl } from '../webhook-url.ts';
import { addConnection, baseUrlOf, type ChangeOrigin } from './add-connection.ts';

export const callbackPath = '/dashboard/v1/app-flows/callback';
/** Where admins see their connections. */
const connectionsPage = '/connections';
/** As long as the host's code is valid. */
const flowMs = 60 * 60_000;

interface FlowRow {
  connection_id: ConnectionId;
  provider: HostProvider;
  url: string;
  organization: string | null;
}

function creationOf(kind: HostKind) {
  if (kind.appCreation === null)
    throw new AppError('INVALID_REQUEST', `provider: ${kind.provider} does not support apps`);
  return kind.appCreation;
}

/** Starts creating an app at a host; returns the state that ties the host's callback to this person. */
export async function beginAppFlow(
  { database }: Pick<HostDeps, 'database'>,
  request: { provider: HostProvider; url?: string | undefined; organization?: string | undefined },
  session: Session,
  now: Date,
): Promise<string> {
  const kind = hostKind(request.provider);
  creationOf(kind);
  const url = baseUrlOf(request, kind);
  const state = newSecret();
  await database.sql`DELETE FROM app_flows WHERE expires_at <= ${now}`;
  await database.sql`
    INSERT INTO app_flows (state_hash, person_id, connection_id, provider, url, organization, expires_at)
    VALUES (${hashSecret(state)}, ${session.personId}, ${newUuid()}, ${kind.provider}, ${url},
      ${request.organization ?? null}, ${new Date(now.getTime() + flowMs)})`;
  return state;
}

const noSuchFlow = () =>
  new AppError('NOT_FOUND', 'This link has expired, was already used, or belongs to somebody else');

/** The form that a person sends to the host to create the app. */
export async function describeAppFlow(
  { database }: Pick<HostDeps, 'database'>,
  state: string,
  session: Session,
  publicUrl: string,
  now: Date,
): Promise<AppForm & { readonly url: string }> {
  const [flow] = await database.sql<FlowRow[]>`
    SELECT connection_id, provider, url, organization FROM app_flows
    WHERE state_hash = ${hashSecret(state)} AND person_id = ${session.personId} AND expires_at > ${now}`;
  if (flow === undefined) throw noSuchFlow();
  const { url, organization } = flow;
  const form = creationOf(hostKind(flow.provider)).formOf({
    url,
    organization,
    state,
    homeUrl: publicUrl,
    hookUrl: webhookUrl(publicUrl, flow.connection_id),
    callbackUrl: new URL(callbackPath, publicUrl).href,
    setupUrl: new URL(connectionsPage, publicUrl).href,
  });
  return { ...form, url };
}

/** Deletes the flow, so that its state can be used only once. */
async function takeFlow(db: Db, state: string, session: Session, now: Date): Promise<FlowRow> {
  const [flow] = await db<FlowRow[]>`
    DELETE FROM app_flows WHERE state_hash = ${hashSecret(state)} AND person_id = ${session.personId} AND expires_at > ${now}
    RETURNING connection_id, provider, url, organization`;
  if (flow === undefined) throw noSuchFlow();
  return flow;
}

/** Exchanges the host's code for the app's credentials, which become a connection. */
export async function finishAppFlow(
  deps: HostDeps,
  { state, code }: { readonly state: string; readonly code: string },
  session: Session,
  origin: ChangeOrigin,
): Promise<{ connection: Connection; installUrl: string }> {
  const flow = await takeFlow(deps.database.sql, state, session, origin.now);
  const { provider, url } = flow;
  const kind = hostKind(provider);
  const app = await creationOf(kind)
    .redeem({ url, code, outbound: deps.outbound })
    .catch((error: unknown) => {
      const fault = hostFault(error);
      throw fault === undefined ? error : new AppError('CONNECTION_REFUSED', fault);
    });
  const request = connectionRequest.parse({
    provider,
    ...(url !== kind.cloudUrl && { url }),
    credentials: app.credentials,
    webhook_secret: app.webhookSecret,
  });
  const { connection } = await addConnection(deps, request, origin, { id: flow.connection_id });
  return { connection, installUrl: app.installUrl };
}
