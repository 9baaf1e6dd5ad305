import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  AuditIcon,
  ConnectionsIcon,
  KeyIcon,
  LearningsIcon,
  OverviewIcon,
  PeopleIcon,
  RolesIcon,
  SecurityIcon,
  SettingsIcon,
} from '../components/icons.tsx';
import type { View } from '../lib/session.ts';

/** A page of a view. It is offered only where the person may use it; the server enforces that in any case. */
export interface Page {
  readonly path: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly component: RouteComponent;
  isOffered(view: View): boolean;
}

export const pages: readonly Page[] = [
  {
    path: 'overview',
    label: 'Overview',
    icon: <OverviewIcon />,
    component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx')),
    isOffered: (view) => view.isEnterprise,
  },
  {
    path: 'learnings',
    label: 'Learnings',
    icon: <LearningsIcon />,
    component: lazyRouteComponent(() => import('../features/learnings/learnings-page.tsx')),
    isOffered: (view) => view.isEnterprise,
  },
  {
    path: 'security',
    label: 'Security',
    icon: <SecurityIcon />,
    component: lazyRouteComponent(() => import('../features/security/security-page.tsx')),
    isOffered: (view) => view.may('security:read'),
  },
  {
    path: 'people',
    label: 'People',
    icon: <PeopleIcon />,
    component: lazyRouteComponent(() => import('../features/people/people-page.tsx')),
    isOffered: (view) => view.isEnterprise && view.isAdmin,
  },
  {
    path: 'roles',
    label: 'Roles',
    icon: <RolesIcon />,
    component: lazyRouteComponent(() => import('../features/roles/roles-page.tsx')),
    isOffered: (view) =>
      view.isEnterprise && view.kind === 'organization' && view.may('role_management:read'),
  },
  {
    path: 'audit-log',
    label: 'Audit log',
    icon: <AuditIcon />,
    component: lazyRouteComponent(() => import('../features/audit-log/audit-log-page.tsx')),
    isOffered: (view) => view.isEnterprise && view.isAdmin,
  },
  {
    path: 'keys',
    label: 'API keys',
    icon: <KeyIcon />,
    component: lazyRouteComponent(() => import('../features/keys/keys-page.tsx')),
    isOffered: (view) => view.may('api_access:read'),
  },
  {
    path: 'settings',
    label: 'Settings',
    icon: <SettingsIcon />,
    component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx')),
    isOffered: (view) => view.may('organization_management:read'),
  },
];

/** Pages about the whole installation, for its admins. */
export const installationPages: readonly Omit<Page, 'isOffered'>[] = [
  {
    path: 'connections',
    label: 'Connections',
    icon: <ConnectionsIcon />,
    component: lazyRouteComponent(() => import('../features/connections/connections-page.tsx')),
  },
];

/** The label of a page in a view: a workspace has tokens instead of keys. */
export function labelOf(page: Page, view: View): string {
  if (view.kind === 'organization') return page.label;
  return { keys: 'API tokens', settings: 'Organizations' }[page.path] ?? page.label;
}
