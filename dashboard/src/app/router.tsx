import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ErrorMessage, Loading } from '../components/query-state.tsx';
import { UnsubscribePage } from '../features/digest/unsubscribe-page.tsx';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { WelcomePage } from '../features/session/welcome-page.tsx';
import { findView, firstView, loadPlaces, sessionQuery } from '../lib/session.ts';
import { InstallationLayout, Layout } from './layout.tsx';
import { NoAccess, NoSuchPage } from './no-view.tsx';
import { detailPages, homePage, installationPages, pages } from './pages.tsx';

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => (
    <main>
      <NoSuchPage />
    </main>
  ),
});

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });
const welcome = createRoute({ getParentRoute: () => root, path: '/welcome', component: WelcomePage });

const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: UnsubscribePage,
});

/** Everything that requires signing in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { return_to: location.href } as never });
    return { session };
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad({ context: { session } }) {
    if (session.is_being_set_up) throw redirect({ to: '/first-steps' as never });
    const first = firstView(session);
    if (first !== undefined) throw redirect({ to: '/$kind/$id', params: first });
  },
  component: Layout,
});

const view = createRoute({
  getParentRoute: () => signedIn,
  path: '/$kind/$id',
  beforeLoad: async ({ context: { client, session }, params: { kind, id } }) => ({
    places: await loadPlaces(client, session, kind, id),
  }),
  component: Layout,
});

const viewHome = createRoute({
  getParentRoute: () => view,
  path: '/',
  beforeLoad({ context: { places }, params }) {
    const chosen = findView(places, params.kind, params.id);
    const page = chosen && homePage(chosen);
    if (page !== undefined)
      throw redirect({ to: `/$kind/$id/${page.path}` as never, params: params as never });
  },
  component: NoAccess,
});

const pageRoutes = [...pages, ...detailPages].map(({ path, component }) =>
  createRoute({ getParentRoute: () => view, path: `/${path}`, component }),
);

/** Pages about the whole installation, outside any view. */
const installation = createRoute({
  getParentRoute: () => signedIn,
  id: 'installation',
  component: InstallationLayout,
});

const installationRoutes = installationPages.map(({ path, component }) =>
  createRoute({ getParentRoute: () => installation, path: `/${path}`, component }),
);

const routeTree = root.addChildren([
  signIn,
  welcome,
  unsubscribe,
  signedIn.addChildren([
    home,
    view.addChildren([viewHome, ...pageRoutes]),
    installation.addChildren(installationRoutes),
  ]),
]);

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The dashboard's routes; search parameters are plain text, so that links can be written by hand. */
export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
    defaultPendingComponent: () => <Loading />,
    defaultErrorComponent: ({ error, reset }) => (
      <ErrorMessage error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    ),
  });
}
