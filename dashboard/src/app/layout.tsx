import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { MoonIcon, SunIcon } from '../components/icons.tsx';
import { Loading } from '../components/query-state.tsx';
import { AccountMenu } from '../features/session/account-menu.tsx';
import { findView, type Session, sessionQuery, type View } from '../lib/session.ts';
import { NoView } from './no-view.tsx';
import { labelOf, pages } from './pages.tsx';
import { ViewSelect } from './view-select.tsx';

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={isDark ? 'Use light colors' : 'Use dark colors'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  );
}

function Navigation({ view, onChoose }: { view: View; onChoose: () => void }) {
  const { pathname } = useLocation();
  const base = `/${view.kind}s/${view.id}`;
  return (
    <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {pages
        .filter((page) => page.isOffered(view))
        .map((page) => {
          const isHere = pathname.startsWith(`${base}/${page.path}`);
          return (
            <li key={page.path}>
              <NavLink
                renderRoot={(props) => <Link {...props} to={`${base}/${page.path}` as never} />}
                label={labelOf(page, view)}
                leftSection={page.icon}
                active={isHere}
                variant="filled"
                onClick={onChoose}
                style={{ borderRadius: 8 }}
                {...(isHere && { 'aria-current': 'page' as const })}
              />
            </li>
          );
        })}
    </Stack>
  );
}

function Shell({
  session,
  view,
  kind,
}: {
  session: Session;
  view: View | undefined;
  kind: string | undefined;
}) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const hasChoice = session.organizations.length + session.workspaces.length > 0;
  return (
    <AppShell
      header={{ height: 60 }}
      {...(view && { navbar: { width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } } })}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            {view && <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />}
            <Text fw={700} {...(hasChoice && { visibleFrom: 'sm' })}>
              Postil
            </Text>
            {hasChoice && <ViewSelect session={session} view={view} />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <AccountMenu session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      {view && (
        <AppShell.Navbar p="sm" aria-label="Pages">
          <ScrollArea>
            <Navigation view={view} onChoose={close} />
          </ScrollArea>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1}>
        {view === undefined ? (
          <NoView session={session} kind={kind} />
        ) : (
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        )}
      </AppShell.Main>
    </AppShell>
  );
}

/** The frame around every page: the view selector, navigation and account menu. Without a view, it explains why. */
export function Layout() {
  const { data: session } = useQuery(sessionQuery);
  const { kind, id } = useParams({ strict: false }) as { kind?: string; id?: string };
  const { href } = useLocation();
  if (session === undefined) return <Loading />;
  if (session === null) return <Navigate to="/sign-in" search={{ return_to: href } as never} />;
  const view = kind !== undefined && id !== undefined ? findView(session, kind, id) : undefined;
  return <Shell key={`${kind}/${id}`} session={session} view={view} kind={kind} />;
}
