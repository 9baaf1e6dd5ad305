let serial = 700_000;

/** A provider id that no other test of the process uses. */
export function freshId(): string {
  serial += 1;
  return String(serial);
}

type Fields = Record<string, unknown>;

/** A member in a platform document. */
export function member(userId: string, fields: Fields = {}): Fields {
  return {
    user_id: userId,
    username: `user-${userId}`,
    email: `user-${userId}@acme.test`,
    role: 'cr_member',
    ...fields,
  };
}

/** An Enterprise organization in a platform document, with an admin 9001, a member 9002 and two repositories 501 and 502. */
export function organization(fields: Fields = {}): Fields {
  const id = (fields.provider_organization_id as string | undefined) ?? freshId();
  return {
    provider: 'github',
    provider_organization_id: id,
    name: `org-${id}`,
    plan: 'enterprise',
    subscription: 'active',
    seats_purchased: 10,
    repositories: [
      { provider_repository_id: '501', name: 'api' },
      { provider_repository_id: '502', name: 'web' },
    ],
    members: [member('9001', { role: 'cr_admin' }), member('9002')],
    ...fields,
  };
}

/** A workspace "acme" (admin user-9001) with organizations 1001 and 1002, an instance "ghe" with 2001, 2002 and 2003, and 3001 alone. */
export function samplePlatform(): Fields {
  return {
    workspaces: [{ slug: 'acme', name: 'Acme Inc', admins: ['user-9001@acme.test'] }],
    instances: [{ slug: 'ghe', provider: 'github', url: 'https://ghe.acme.test' }],
    organizations: [
      organization({ provider_organization_id: '1001', workspace: 'acme' }),
      organization({ provider_organization_id: '1002', workspace: 'acme' }),
      organization({ provider_organization_id: '2001', instance: 'ghe' }),
      organization({ provider_organization_id: '2002', instance: 'ghe' }),
      organization({ provider_organization_id: '2003', instance: 'ghe' }),
      organization({ provider_organization_id: '3001' }),
    ],
  };
}

const inAYear = '2027-01-31T00:00:00Z';

/** One key request of each kind for the sample platform, all owned by the admin 9001. */
export const sampleKeys = {
  organization: { kind: 'organization', provider: 'github', org_id: '1001', owner: '9001' },
  user: { kind: 'user', provider: 'github', org_id: '1001', owner: '9001' },
  workspace: { kind: 'workspace', workspace: 'acme', owner: 'user-9001@acme.test', expires_at: inAYear },
  instance: {
    kind: 'instance',
    instance: 'ghe',
    owner: '9001',
    org_ids: ['2001', '2002'],
    home_org_id: '2001',
  },
  legacy: { kind: 'legacy', provider: 'github', org_id: '1001' },
  agentic: { kind: 'agentic', provider: 'github', org_id: '1001', owner: '9001' },
} as const;
