import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  demoPeople,
  demoRepositories,
  demoTeams,
  organizationId,
  organizationName,
  ownAccount,
} from '../../src/cli/demo/company.ts';
import { makeBareRepository, makeRepository } from '../../src/cli/demo/story/make-repository.ts';
import type { Story } from '../../src/cli/demo/story/read-story.ts';
import type { ForgePull, ForgeRepository } from '../hosts/forge/forge-data.ts';
import type { HostDouble } from '../hosts/host-double.ts';

/** A story with its repository. */
export interface Told {
  readonly story: Story;
  readonly repository: ForgeRepository;
  readonly made: Awaited<ReturnType<typeof makeRepository>>;
}

/** The token with which the account of the demo reads and writes. */
export const accountToken = 'token-of-the-account-at-the-host';

/** Creates the company of the demo on a host, with the repositories of the stories in their initial state. */
export async function fillStoryForge(double: HostDouble, stories: readonly Story[]) {
  const { state } = double;
  const own = state.addUser(ownAccount.username, { id: Number(ownAccount.id), isBot: true });
  const people = new Map(
    demoPeople.map(({ id, username, email }) => [
      username,
      state.addUser(username, { id: Number(id), email }),
    ]),
  );
  const organization = Object.assign(state.addOrganization(organizationName, own, ...people.values()), {
    id: Number(organizationId),
  });
  organization.teams.push(
    ...demoTeams.map(({ id, name }) => ({
      id: Number(id),
      name,
      parent: null,
      members: new Set(demoPeople.filter(({ team }) => team === name).map((person) => Number(person.id))),
    })),
  );
  double.tokens.set(accountToken, own);
  const told: Told[] = [];
  for (const { id, name } of demoRepositories) {
    const story = stories.find((one) => one.name === name);
    const folder = path.join(await mkdtemp(path.join(tmpdir(), 'postil-demo-')), `${name}.git`);
    const repository = state.addRepository(organization, name, {
      id: Number(id),
      folder,
    });
    await makeBareRepository(folder);
    for (let issue = 1; issue < 100; issue += 1) repository.issues.add(issue);
    for (const { id: person } of demoPeople) repository.writers.add(Number(person));
    if (story === undefined) continue;
    // The host numbers the next pull request from here.
    repository.pulls.set(story.firstNumber - 1, {
      number: story.firstNumber - 1,
      state: 'closed',
      comments: [],
      reviews: [],
      drafts: [],
      commits: [{ sha: '0'.repeat(40), at: new Date(0), isMerge: false }],
    } as unknown as ForgePull);
    told.push({ story, repository, made: await makeRepository(story, folder) });
  }
  return { people, organization, told };
}
