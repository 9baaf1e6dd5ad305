import type { PlatformDocument } from '../../capabilities/operator/platform-document.ts';

/** A person who works at the demo's company. */
export interface DemoPerson {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly team: string;
}

/** The company's own Git host; nothing ever connects to it. */
export const demoHost = { instance: 'northwind-git', url: 'https://git.northwind.test' } as const;

export const organizationName = 'northwind';
export const organizationId = '1001';
/** Postil's account at the host. */
export const ownAccount = { id: '900', username: 'postil' } as const;

const teams: Readonly<Record<string, string>> = {
  Storefront:
    'mara.lindqvist jonas.berg chiara.rossi kenji.ito elif.yilmaz hana.novak mateo.garcia priya.nair tara.okafor',
  Payments: 'dmitri.kovacs farah.haddad sven.larsen ines.moreau omar.weber lucia.costa yuki.sato nadia.petit',
  Platform: 'goran.vogel vera.jansen bruno.dahl rosa.urban wanda.zeman quentin.abel zoe.fischer umar.tamm',
};

/** The company's teams, each with its id at the host. */
export const demoTeams = Object.keys(teams).map((name, index) => ({ id: String(801 + index), name }));

/** All people of the company. The first one is an admin, and the person whom the viewer of the demo signs in as. */
export const demoPeople: readonly DemoPerson[] = Object.entries(teams)
  .flatMap(([team, names]) => names.split(' ').map((username) => ({ username, team })))
  .map(({ username, team }, index) => ({
    id: String(701 + index),
    username,
    email: `${username}@northwind.test`,
    team,
  }));

/** The viewer of the demo, and a person whom they have invited. */
export const [viewer, colleague] = demoPeople as readonly [DemoPerson, DemoPerson, ...DemoPerson[]];

/** A repository: those with a story have real code, the others only data. */
export interface DemoRepository {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly language: 'ts' | 'py' | 'go' | 'tf';
  /** Its relative frequency of pull requests. */
  readonly weight: number;
}

export const demoRepositories: readonly DemoRepository[] = [
  { id: '601', name: 'storefront', team: 'Storefront', language: 'ts', weight: 5 },
  { id: '602', name: 'ledger', team: 'Payments', language: 'py', weight: 4 },
  { id: '603', name: 'gateway', team: 'Platform', language: 'go', weight: 3 },
  { id: '604', name: 'catalog', team: 'Storefront', language: 'ts', weight: 3 },
  { id: '605', name: 'search', team: 'Storefront', language: 'ts', weight: 2 },
  { id: '606', name: 'mobile', team: 'Storefront', language: 'ts', weight: 3 },
  { id: '607', name: 'payouts', team: 'Payments', language: 'py', weight: 2 },
  { id: '608', name: 'invoices', team: 'Payments', language: 'py', weight: 2 },
  { id: '609', name: 'infrastructure', team: 'Platform', language: 'tf', weight: 2 },
  { id: '610', name: 'accounts', team: 'Platform', language: 'go', weight: 2 },
];

/** The company as a platform document. */
export function demoPlatform(): PlatformDocument {
  return {
    instances: [{ slug: demoHost.instance, provider: 'gitea', url: demoHost.url }],
    organizations: [
      {
        provider: 'gitea',
        provider_organization_id: organizationId,
        instance: demoHost.instance,
        name: organizationName,
        plan: 'enterprise',
        subscription: 'active',
        seats_purchased: 30,
        seat_assignment_mode: 'automatic',
        approval_delay_days: 7,
        repositories: demoRepositories.map(({ id, name }) => ({ provider_repository_id: id, name })),
        members: demoPeople.map(({ id, username, email }, position) => ({
          user_id: id,
          username,
          email,
          role: position === 0 || username === 'dmitri.kovacs' ? 'cr_admin' : 'cr_member',
          seat: position % 9 !== 8,
        })),
      },
    ],
  };
}
