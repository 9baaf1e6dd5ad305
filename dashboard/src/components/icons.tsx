import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const OverviewIcon = () => (
  <Icon>
    <path d="M4 20V10M10 20V4M16 20v-7M21 20H3" />
  </Icon>
);
export const LearningsIcon = () => (
  <Icon>
    <path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.4 1 1 1 1.8V16h5v-.3c0-.8.4-1.4 1-1.8A6 6 0 0 0 12 3z" />
  </Icon>
);
export const PeopleIcon = () => (
  <Icon>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5" />
  </Icon>
);
export const TeamsIcon = () => (
  <Icon>
    <circle cx="12" cy="7" r="3" />
    <circle cx="5" cy="10" r="2" />
    <circle cx="19" cy="10" r="2" />
    <path d="M6.5 20a5.5 5.5 0 0 1 11 0M1.5 18a3.5 3.5 0 0 1 4-3.4M22.5 18a3.5 3.5 0 0 0-4-3.4" />
  </Icon>
);
export const RolesIcon = () => (
  <Icon>
    <path d="M12 3l8 3v5c0 5-3.4 8.6-8 10-4.600-1.400-8-5-8-10V6z" />
    <path d="M9 12l2 2 4-4" />
  </Icon>
);
export const RulesIcon = () => (
  <Icon>
    <path d="M4 20v-6M10 20V8M16 20v-9M3 20h18" />
    <path d="M14 5l2 2 4-4" />
  </Icon>
);
export const ChecksIcon = () => (
  <Icon>
    <path d="M4 6l1.500 1.500L8 5M4 12l1.500 1.500L8 11M4 18l1.500 1.500L8 17" />
    <path d="M12 6h8M12 12h8M12 18h8" />
  </Icon>
);
export const DependenciesIcon = () => (
  <Icon>
    <path d="M12 3l8 4.500v9L12 21l-8-4.500v-9z" />
    <path d="M4 7.500l8 4.500 8-4.500M12 12v9" />
  </Icon>
);
export const SecurityIcon = () => (
  <Icon>
    <path d="M12 4L2.500 20h19zM12 10v4.500M12 17.300v.2" />
  </Icon>
);
export const AuditIcon = () => (
  <Icon>
    <path d="M6 3h9l4 4v14H6zM14 3v5h5M9 13h6M9 17h6" />
  </Icon>
);
export const KeyIcon = () => (
  <Icon>
    <circle cx="8" cy="15" r="4.500" />
    <path d="M11.300 11.700L20 3M16 7l3 3" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="17" r="2" />
  </Icon>
);
export const ConnectionsIcon = () => (
  <Icon>
    <path d="M9 15l6-6M10.500 6.500l2-2a4.200 4.200 0 0 1 6 6l-2 2M13.500 17.500l-2 2a4.200 4.200 0 0 1-6-6l2-2" />
  </Icon>
);
export const WebhooksIcon = () => (
  <Icon>
    <path d="M3 11.500L21 3l-6.500 18-3.500-8zM11 13l10-10" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z" />
  </Icon>
);
export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21a8 8 0 0 1 16 0" />
  </Icon>
);
export const ReviewsIcon = () => (
  <Icon>
    <path d="M4 5h16v11H9l-5 4zM8 9h8M8 12h5" />
  </Icon>
);
export const ReviewSettingsIcon = () => (
  <Icon>
    <path d="M9 3h6v4H9zM8 5H5v16h14V5h-3M9 14l2 2 4-4" />
  </Icon>
);
export const PullRequestsIcon = () => (
  <Icon>
    <circle cx="6" cy="6" r="2.500" />
    <circle cx="6" cy="18" r="2.500" />
    <circle cx="18" cy="18" r="2.500" />
    <path d="M6 8.500v7M18 15.500V10a3 3 0 0 0-3-3h-3M14 4l-3 3 3 3" />
  </Icon>
);
export const CommentsIcon = () => (
  <Icon>
    <path d="M3 5h13v9H8l-5 4zM20 9v9l-3-2h-6" />
  </Icon>
);
export const CompareIcon = () => (
  <Icon>
    <path d="M4 6h9M4 12h16M4 18h6M12 3v18" />
  </Icon>
);
export const FirstStepsIcon = () => (
  <Icon>
    <path d="M4 6l1.500 1.500L8 5M11 6.500h9M4 12l1.500 1.500L8 11M11 12.500h9M4 18l1.500 1.500L8 17M11 18.500h9" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="M5 12.500l4.500 4.500L19 7.500" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <path d="M9 9h11v11H9zM15 9V4H4v11h5" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.500" />
    <path d="M16 16l5 5" />
  </Icon>
);
export const InboxIcon = () => (
  <Icon>
    <path d="M3 13l3-8h12l3 8v6H3zM3 13h5l1.500 3h5l1.500-3h5" />
  </Icon>
);
export const DigestIcon = () => (
  <Icon>
    <path d="M5 3h14v18H5zM9 8h6M9 12h6M9 16h3" />
  </Icon>
);
