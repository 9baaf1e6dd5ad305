import { seededRandom } from '../../src/lib/seeded-random.ts';

const firstNames =
  'Ada Bruno Chiara Dmitri Elif Farah Goran Hana Ines Jonas Kenji Lucia Mateo Nadia Omar Priya Quentin Rosa Sven Tara Umar Vera Wanda Xavier Yuki Zoe'.split(
    ' ',
  );
const lastNames =
  'Abel Berg Costa Dahl Eriksen Fischer Garcia Hansen Ito Jansen Kovacs Larsen Moreau Novak Okafor Petit Quist Rossi Sato Tamm Urban Vogel Weber Yilmaz Zeman'.split(
    ' ',
  );
const products = [
  'checkout',
  'catalog',
  'search',
  'billing',
  'identity',
  'gateway',
  'mobile',
  'web',
  'reports',
  'platform',
  'infra',
  'docs',
];
const roles = ['cr_admin', 'cr_billing_admin'] as const;

export interface MadeUpPerson {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
}

export interface MadeUpOrganization {
  readonly provider: string;
  readonly orgId: string;
  readonly instance: string | undefined;
  readonly workspace: string | undefined;
  readonly name: string;
  readonly repositories: readonly { readonly id: string; readonly name: string }[];
  readonly people: readonly MadeUpPerson[];
  /** The names of its teams. */
  readonly teams: readonly string[];
}

interface Outline {
  readonly provider: string;
  readonly orgId: string;
  readonly workspace?: string;
  readonly instance?: string;
  readonly name: string;
  readonly people: number;
}

const outline: readonly Outline[] = [
  { provider: 'github', orgId: '1001', workspace: 'northwind', name: 'northwind-shop', people: 46 },
  { provider: 'github', orgId: '1002', workspace: 'northwind', name: 'northwind-data', people: 28 },
  { provider: 'gitlab', orgId: '1003', workspace: 'northwind', name: 'northwind-mobile', people: 24 },
  { provider: 'github', orgId: '1004', workspace: 'northwind', name: 'northwind-infra', people: 18 },
  { provider: 'github', orgId: '2001', workspace: 'lumen', name: 'lumen-health', people: 52 },
  { provider: 'bitbucket', orgId: '2002', workspace: 'lumen', name: 'lumen-research', people: 22 },
  { provider: 'github', orgId: '3001', instance: 'northwind-ghe', name: 'vault', people: 38 },
  { provider: 'github', orgId: '3002', instance: 'northwind-ghe', name: 'payments-core', people: 30 },
  { provider: 'github', orgId: '3003', instance: 'northwind-ghe', name: 'legacy-systems', people: 24 },
  { provider: 'gitea', orgId: '4001', name: 'side-projects', people: 18 },
];

const teams: Readonly<Record<string, readonly string[]>> = {
  'northwind-shop': ['Storefront', 'Checkout', 'Search'],
  'northwind-data': ['Ingestion', 'Reporting'],
  'northwind-mobile': ['Android', 'iOS'],
  'northwind-infra': ['Network', 'Delivery'],
};

/** Generates made-up organizations, the same on every run. */
export function madeUpOrganizations(): MadeUpOrganization[] {
  const random = seededRandom(7);
  let person = 0;
  return outline.map((entry, index) => ({
    provider: entry.provider,
    orgId: entry.orgId,
    instance: entry.instance,
    workspace: entry.workspace,
    name: entry.name,
    repositories: products.slice(0, 6).map((_, position) => ({
      id: `${entry.orgId}${position + 1}`,
      name: products[(index * 5 + position) % products.length]!,
    })),
    people: Array.from({ length: entry.people }, () => {
      person += 1;
      const username = `${random.pick(firstNames)}.${random.pick(lastNames)}${person}`.toLowerCase();
      return {
        userId: String(90_000 + person),
        username,
        email: `${username}@${entry.workspace ?? 'example'}.test`,
      };
    }),
    teams: teams[entry.name] ?? [],
  }));
}

/** The admin of a workspace: the first person of the first organization of each workspace. */
export function adminEmail(organizations: readonly MadeUpOrganization[], workspace: string): string {
  return organizations.find((organization) => organization.workspace === workspace)!.people[0]!.email;
}

/** The companies as a platform document. */
export function madeUpPlatform(organizations: readonly MadeUpOrganization[]) {
  return {
    workspaces: [
      { slug: 'northwind', name: 'Northwind Group', admins: [adminEmail(organizations, 'northwind')] },
      { slug: 'lumen', name: 'Lumen Health', admins: [adminEmail(organizations, 'lumen')] },
    ],
    instances: [{ slug: 'northwind-ghe', provider: 'github', url: 'https://git.northwind.test' }],
    organizations: organizations.map((organization, index) => ({
      provider: organization.provider,
      provider_organization_id: organization.orgId,
      ...(organization.instance !== undefined && { instance: organization.instance }),
      ...(organization.workspace !== undefined && { workspace: organization.workspace }),
      name: organization.name,
      plan: organization.name === 'side-projects' ? 'pro' : 'enterprise',
      subscription: 'active',
      seats_purchased: organization.people.length,
      seat_assignment_mode: index % 2 === 0 ? 'automatic' : 'manual',
      approval_delay_days: index === 0 ? 7 : 0,
      repositories: organization.repositories.map(({ id, name }) => ({ provider_repository_id: id, name })),
      members: organization.people.map(({ userId, username, email }, position) => ({
        user_id: userId,
        username,
        email,
        role: roles[position] ?? 'cr_member',
        seat: position % 4 !== 3,
      })),
    })),
  };
}
