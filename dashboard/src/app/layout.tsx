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
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { MoonIcon, SunIcon } from '../components/icons.tsx';
import { Loading } from '../components/query-state.tsx';
import { AccountMenu } from '../features/session/account-menu.tsx';
import { useKeys } from '../lib/keys.ts';
import { rememberView, useLastView } from '../lib/last-view.ts';
import { useFilters } from '../lib/search.ts';
import { findView, type Session, sessionQuery, usePlaces, type View } from '../lib/session.ts';
import { signInAgain } from '../lib/sign-in-again.ts';
import { CommandPalette, SearchButton } from './command-palette.tsx';
import { KeyHelp } from './key-help.tsx';
import { NoAccess, NoView } from './no-view.tsx';
import { offeredPages, type Page, pageGroups } from './pages.tsx';
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

function NavigationLink({
  icon,
  label,
  url,
  onChoose,
}: Pick<Page, 'icon' | 'label'> & { url: string; onChoose: () => void }) {
  const { pathname } = useLocation();
  const [{ from, to, via }] = useFilters();
  const isHere =
    via === 'inbox' ? url.endsWith('/inbox') : pathname === url || pathname.startsWith(`${url}/`);
  return (
    <li>
      <NavLink
        renderRoot={(props) => (
          // `aria-current` is set below. By default, a link would also be current on the pages below its own.
          <Link {...props} to={url as never} search={{ from, to } as never} activeOptions={{ exact: true }} />
        )}
        label={label}
        leftSection={icon}
        active={isHere}
        variant="filled"
        onClick={onChoose}
        style={{ borderRadius: 8 }}
        {...(isHere && { 'aria-current': 'page' as const })}
      />
    </li>
  );
}

function Navigation({
  session,
  view,
  onChoose,
}: {
  session: Session;
  view: View | undefined;
  onChoose: () => void;
}) {
  const links = offeredPages(session, view);
  return (
    <Stack gap="md">
      {pageGroups
        .filter((group) => links.some((link) => link.group === group))
        .map((group) => (
          <div key={group}>
            <Text id={`pages-${group}`} size="xs" c="dimmed" px="sm" mb="xxs">
              {group}
            </Text>
            <ul aria-labelledby={`pages-${group}`} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {links
                .filter((link) => link.group === group)
                .map(({ path, icon, label, url }) => (
                  <NavigationLink key={path} icon={icon} label={label} url={url} onChoose={onChoose} />
                ))}
            </ul>
          </div>
        ))}
    </Stack>
  );
}

function Shell({
  session,
  view,
  children,
}: {
  session: Session;
  view: View | undefined;
  children: ReactNode;
}) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isPaletteOpen, palette] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  useKeys(palette.toggle, help.open);
  useEffect(() => {
    if (view !== undefined) rememberView(view);
  }, [view]);
  const hasChoice = session.organizations.length + session.workspaces.length > 0;
  const hasPages = view !== undefined || session.is_installation_admin;
  return (
    <AppShell
      header={{ height: 60 }}
      {...(hasPages && { navbar: { width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } } })}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            {hasPages && (
              <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            )}
            <Text fw={600} {...(hasChoice && { visibleFrom: 'sm' })}>
              Postil
            </Text>
            {hasChoice && <ViewSelect session={session} view={view} />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {hasPages && <SearchButton onClick={palette.open} />}
            <ColorSchemeButton />
            <AccountMenu session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      {hasPages && (
        <AppShell.Navbar p="sm" aria-label="Pages">
          <ScrollArea>
            <Navigation session={session} view={view} onChoose={close} />
          </ScrollArea>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1}>
        {children}
      </AppShell.Main>
      {hasPages && (
        <CommandPalette session={session} view={view} isOpen={isPaletteOpen} onClose={palette.close} />
      )}
      <KeyHelp isOpen={isHelpOpen} onClose={help.close} />
    </AppShell>
  );
}

function SessionEnded() {
  useEffect(signInAgain, []);
  return <Loading />;
}

const content = (
  <Suspense fallback={<Loading />}>
    <Outlet />
  </Suspense>
);

/** The layout for a URL that names a view. Without access to the view, it explains why. */
function ViewLayout({ session, kind, id }: { session: Session; kind: string; id: string }) {
  const places = usePlaces(session, kind, id);
  if (places === undefined) return <Loading />;
  const view = findView(places, kind, id);
  return (
    <Shell key={`${kind}/${id}`} session={session} view={view}>
      {view === undefined ? <NoView session={session} kind={kind} /> : content}
    </Shell>
  );
}

/** The frame around every page: the view selector, navigation and account menu. Without a view, it explains why. */
export function Layout() {
  const { data: session } = useQuery(sessionQuery);
  const { kind, id } = useParams({ strict: false }) as { kind?: string; id?: string };
  if (session === undefined) return <Loading />;
  if (session === null) return <SessionEnded />;
  if (kind !== undefined && id !== undefined) return <ViewLayout session={session} kind={kind} id={id} />;
  return (
    <Shell session={session} view={undefined}>
      <NoView session={session} kind={kind} />
    </Shell>
  );
}

function InstallationShell({ session }: { session: Session }) {
  return (
    <Shell session={session} view={useLastView(session)}>
      {session.is_installation_admin ? content : <NoAccess />}
    </Shell>
  );
}

/** The layout of pages about the whole installation; the navigation leads back to the last view. */
export function InstallationLayout() {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return <Loading />;
  return session === null ? <SessionEnded /> : <InstallationShell session={session} />;
}
