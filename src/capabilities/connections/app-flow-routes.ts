import { z } from 'zod';
import { actorOfInstallation } from '../../access/actor.ts';
import { type AccountContext, accountEndpoint, type Endpoint, type Reply } from '../../http/endpoint.ts';
import { AppError } from '../../lib/app-error.ts';
import { httpUrl } from '../../lib/wire/wire.ts';
import type { Connection } from './connection-record.ts';
import { connectableProviders } from './hosts/host-providers.ts';
import type { HostDeps } from './open-host.ts';
import { beginAppFlow, callbackPath, describeAppFlow, finishAppFlow } from './setup/app-flow.ts';
import { appFormPage } from './setup/app-form-page.ts';

export interface AppFlowDeps extends HostDeps {
  readonly publicUrl: () => string;
  /** Called once a connection was added, to read its organizations. */
  onAdded(connection: Connection): Promise<void>;
  onError(error: unknown): void;
}

const path = '/dashboard/v1/app-flows';
const tag = 'Connections';
const flowRequest = z.strictObject({
  provider: z.enum(connectableProviders),
  url: httpUrl.optional(),
  organization: z.string().trim().min(1).max(255).optional(),
});
const flowPath = z.strictObject({ state: z.string().max(100) });
/** Hosts can add parameters of their own. */
const callbackQuery = z.looseObject({
  state: z.string().max(100).optional(),
  code: z.string().max(500).optional(),
});

const redirect = (location: string): Reply => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
});

/** Creates an app at a host from the dashboard: started here, submitted to the host by the browser, and completed here. */
export function appFlowEndpoints(deps: AppFlowDeps): Endpoint[] {
  const originOf = (context: AccountContext) => ({ ...context, actor: actorOfInstallation(context.session) });
  return [
    accountEndpoint({
      operationId: 'beginAppFlow',
      method: 'POST',
      path,
      tag,
      summary: 'Start creating an app at a host',
      isForInstallationAdmins: true,
      body: flowRequest,
      responses: {
        201: { description: 'The page to open next', json: z.strictObject({ page: z.string() }) },
      },
      async handle({ session, now }, { body }) {
        const state = await beginAppFlow(deps, body, session, now);
        return { status: 201, json: { page: `${path}/${state}/form` } };
      },
    }),
    accountEndpoint({
      operationId: 'showAppForm',
      method: 'GET',
      path: `${path}/{state}/form`,
      tag,
      summary: 'The page that submits the app to the host',
      isForInstallationAdmins: true,
      params: flowPath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page with a form', content: ['text/html; charset=utf-8'] } },
      async handle({ session, now }, { params }) {
        const form = await describeAppFlow(deps, params.state, session, deps.publicUrl(), now);
        const { html, contentSecurityPolicy } = appFormPage(form);
        return {
          headers: { 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' },
          content: { type: 'text/html; charset=utf-8', bytes: html },
        };
      },
    }),
    accountEndpoint({
      operationId: 'finishAppFlow',
      method: 'GET',
      path: callbackPath,
      tag,
      summary: 'Where the host sends the browser once the app exists',
      isForInstallationAdmins: true,
      query: callbackQuery,
      responses: {
        302: { description: 'To the installation page of the app, or back to the connections' },
      },
      async handle(context, { query }) {
        const { state, code } = query;
        if (state === undefined || code === undefined) return redirect('/connections?app=refused');
        try {
          const given = { state, code };
          const { connection, installUrl } = await finishAppFlow(
            deps,
            given,
            context.session,
            originOf(context),
          );
          await deps.onAdded(connection);
          return redirect(installUrl);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          deps.onError(error);
          return redirect(`/connections?app=${error.code === 'NOT_FOUND' ? 'expired' : 'refused'}`);
        }
      },
    }),
  ];
}
