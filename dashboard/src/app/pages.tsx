import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  AuditIcon,
  ChecksIcon,
  CommentsIcon,
  CompareIcon,
  ConnectionsIcon,
  DependenciesIcon,
  DigestIcon,
  FirstStepsIcon,
  InboxIcon,
  KeyIcon,
  LearningsIcon,
  OverviewIcon,
  PeopleIcon,
  PullRequestsIcon,
  ReviewSettingsIcon,
  ReviewsIcon,
  RolesIcon,
  RulesIcon,
  SecurityIcon,
  SettingsIcon,
  TeamsIcon,
  WebhooksIcon,
} from '../components/icons.tsx';
import type { Session, View } from '../lib/session.ts';

/** The groups of the navigation, in this order: what to do, what to learn from it, and how it is set up. */
export const pageGroups = ['Work', 'Insights', 'Administration'] as const;
export type PageGroup = (typeof pageGroups)[number];

/** A page of a view. It is shown only to people who can use it; the server enforces this regardless. */
export interface Page {
  readonly path: string;
  readonly label: string;
  readonly group: PageGroup;
  readonly icon: ReactNode;
  readonly component: RouteComponent;
  isAvailable(view: View): boolean;
}

export const pages: readonly Page[] = [
  {
    path: 'inbox',
    label: 'Inbox',
    group: 'Work',
    icon: <InboxIcon />,
    component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx')),
    isAvailable: () => true,
  },
  {
    path: 'overview',
    label: 'Overview',
    group: 'Insights',
    icon: <OverviewIcon />,
    component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx')),
    isAvailable: (view) => view.isEnterprise,
  },
  {
    path: 'pull-requests',
    label: 'Pull requests',
    group: 'Insights',
    icon: <PullRequestsIcon />,
    component: lazyRouteComponent(() => import('../features/insights/pull-requests/pull-requests-page.tsx')),
    isAvailable: (view) => view.isEnterprise,
  },
  {
    path: 'comments',
    label: 'Comments',
    group: 'Insights',
    icon: <CommentsIcon />,
    component: lazyRouteComponent(() => import('../features/insights/comments/comments-page.tsx')),
    isAvailable: (view) => view.isEnterprise,
  },
  {
    path: 'compare',
    label: 'Compare',
    group: 'Insights',
    icon: <CompareIcon />,
    component: lazyRouteComponent(() => import('../features/insights/compare/compare-page.tsx')),
    isAvailable: (view) => view.isEnterprise,
  },
  {
    path: 'digest',
    label: 'Digest',
    group: 'Insights',
    icon: <DigestIcon />,
    component: lazyRouteComponent(() => import('../features/digest/digest-page.tsx')),
    isAvailable: (view) => view.kind === 'organization' && view.isEnterprise,
  },
  {
    path: 'reviews',
    label: 'Reviews',
    group: 'Work',
    icon: <ReviewsIcon />,
    component: lazyRouteComponent(() => import('../features/reviews/reviews-page.tsx')),
    isAvailable: (view) => view.kind === 'organization',
  },
  {
    path: 'checks',
    label: 'Checks',
    group: 'Work',
    icon: <ChecksIcon />,
    component: lazyRouteComponent(() => import('../features/checks/checks-page.tsx')),
    isAvailable: (view) => view.kind === 'organization',
  },
  {
    path: 'rules',
    label: 'Rules',
    group: 'Insights',
    icon: <RulesIcon />,
    component: lazyRouteComponent(() => import('../features/rules/rules-page.tsx')),
    isAvailable: (view) => view.kind === 'organization',
  },
  {
    path: 'learnings',
    label: 'Learnings',
    group: 'Work',
    icon: <LearningsIcon />,
    component: lazyRouteComponent(() => import('../features/learnings/learnings-page.tsx')),
    isAvailable: (view) => view.isEnterprise,
  },
  {
    path: 'security',
    label: 'Security',
    group: 'Work',
    icon: <SecurityIcon />,
    component: lazyRouteComponent(() => import('../features/security/security-page.tsx')),
    isAvailable: (view) => view.may('security:read'),
  },
  {
    path: 'dependencies',
    label: 'Dependencies',
    group: 'Insights',
    icon: <DependenciesIcon />,
    component: lazyRouteComponent(() => import('../features/dependencies/dependencies-page.tsx')),
    isAvailable: (view) =>
      view.isEnterprise && view.kind === 'organization' && view.may('organization_management:read'),
  },
  {
    path: 'people',
    label: 'People',
    group: 'Administration',
    icon: <PeopleIcon />,
    component: lazyRouteComponent(() => import('../features/people/people-page.tsx')),
    isAvailable: (view) => view.isEnterprise && view.isAdmin,
  },
  {
    path: 'teams',
    label: 'Teams',
    group: 'Administration',
    icon: <TeamsIcon />,
    component: lazyRouteComponent(() => import('../features/teams/teams-page.tsx')),
    isAvailable: (view) =>
      view.isEnterprise && view.kind === 'organization' && view.may('user_management:read'),
  },
  {
    path: 'roles',
    label: 'Roles',
    group: 'Administration',
    icon: <RolesIcon />,
    component: lazyRouteComponent(() => import('../features/roles/roles-page.tsx')),
    isAvailable: (view) =>
      view.isEnterprise && view.kind === 'organization' && view.may('role_management:read'),
  },
  {
    path: 'audit-log',
    label: 'Audit log',
    group: 'Administration',
    icon: <AuditIcon />,
    component: lazyRouteComponent(() => import('../features/audit-log/audit-log-page.tsx')),
    isAvailable: (view) => view.isEnterprise && view.isAdmin,
  },
  {
    path: 'keys',
    label: 'API keys',
    group: 'Administration',
    icon: <KeyIcon />,
    component: lazyRouteComponent(() => import('../features/keys/keys-page.tsx')),
    isAvailable: (view) => view.may('api_access:read'),
  },
  {
    path: 'webhooks',
    label: 'Webhooks',
    group: 'Administration',
    icon: <WebhooksIcon />,
    component: lazyRouteComponent(() => import('../features/webhooks/webhooks-page.tsx')),
    isAvailable: (view) => view.kind === 'organization' && view.isAdmin,
  },
  {
    path: 'review-settings',
    label: 'Review settings',
    group: 'Administration',
    icon: <ReviewSettingsIcon />,
    component: lazyRouteComponent(() => import('../features/review-settings/review-settings-page.tsx')),
    isAvailable: (view) => view.kind === 'organization' && view.isAdmin,
  },
  {
    path: 'settings',
    label: 'Settings',
    group: 'Administration',
    icon: <SettingsIcon />,
    component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx')),
    isAvailable: (view) => view.may('organization_management:read'),
  },
];

/** Pages of a view that other pages link to. */
export const detailPages: readonly Pick<Page, 'path' | 'component'>[] = [
  {
    path: 'reviews/$run',
    component: lazyRouteComponent(() => import('../features/reviews/run-page.tsx')),
  },
  {
    path: 'repositories/$repository',
    component: lazyRouteComponent(() => import('../features/insights/repository/repository-page.tsx')),
  },
  {
    path: 'pull-requests/$repository/$number',
    component: lazyRouteComponent(() => import('../features/pull-request/pull-request-page.tsx')),
  },
];

/** A page about the whole installation, for its admins. */
export interface InstallationPage extends Omit<Page, 'isAvailable'> {
  /** Whether the menu shows it. */
  isOffered(session: Session): boolean;
}

export const installationPages: readonly InstallationPage[] = [
  {
    path: 'first-steps',
    label: 'First steps',
    group: 'Administration',
    icon: <FirstStepsIcon />,
    component: lazyRouteComponent(() => import('../features/first-steps/first-steps-page.tsx')),
    isOffered: (session) => session.is_being_set_up,
  },
  {
    path: 'connections',
    label: 'Connections',
    group: 'Administration',
    icon: <ConnectionsIcon />,
    component: lazyRouteComponent(() => import('../features/connections/connections-page.tsx')),
    isOffered: () => true,
  },
];

/** The label of a page; some differ in a workspace. */
function labelOf(page: Page, view: View): string {
  if (view.kind === 'organization') return page.label;
  return { keys: 'API tokens', settings: 'Organizations' }[page.path] ?? page.label;
}

export interface OfferedPage extends Pick<Page, 'path' | 'label' | 'group' | 'icon'> {
  readonly url: string;
}

/** The pages in the menu of a view, those about the whole installation last. */
export function offeredPages(session: Session, view: View | undefined): OfferedPage[] {
  return reachablePages(session, view).filter(
    ({ path }) => installationPages.find((page) => page.path === path)?.isOffered(session) ?? true,
  );
}

/** Like `offeredPages`, including pages that are not in the menu because they were put away. */
export function reachablePages(session: Session, view: View | undefined): OfferedPage[] {
  const ofView = view === undefined ? [] : pages.filter((page) => page.isAvailable(view));
  const ofInstallation = session.is_installation_admin ? installationPages : [];
  return [
    ...ofView.map((page) => ({
      ...page,
      label: labelOf(page, view!),
      url: `/${view!.kind}s/${view!.id}/${page.path}`,
    })),
    ...ofInstallation.map((page) => ({ ...page, url: `/${page.path}` })),
  ];
}

/** The start page of a view: the Inbox for people with an account there, otherwise the next available page. */
export function homePage(view: View): Page | undefined {
  const offered = pages.filter((page) => page.isAvailable(view));
  return offered.find(({ path }) => path !== 'inbox' || view.userId !== null) ?? offered[0];
}
