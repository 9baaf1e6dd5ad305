import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { demoDirectory, readDemoSettings } from '../../../settings.ts';
import { stopOnSignals } from '../../../stop-signals.ts';
import { CommandError } from '../../command-error.ts';
import { claimDemoFolder } from '../../demo/claim-demo-folder.ts';
import { adminEmail, type DemoOrganization, demoOrganizations, demoPlatform } from '../../demo/company.ts';
import { createDemoTeams } from '../../demo/create-teams.ts';
import { type DemoApi, openDemoApi } from '../../demo/demo-api.ts';
import { type DemoEvent, demoEvents, demoReactions } from '../../demo/events.ts';
import { reviewDemoChanges } from '../../demo/review-changes.ts';
import { connectOperator, type OperatorClient } from '../../operator-client.ts';
import { print, printNote, startProgress, startWaiting } from '../../output.ts';

const keyPrefix = 'demo ';
const dayMs = 86_400_000;

async function sendEvents(
  client: OperatorClient,
  label: string,
  events: readonly DemoEvent[],
): Promise<void> {
  const progress = startProgress(label);
  async function* lines() {
    for (const [index, event] of events.entries()) {
      progress.update(index + 1, events.length);
      yield `${JSON.stringify(event)}\n`;
    }
  }
  const stream = { type: 'application/x-ndjson', source: Readable.from(lines()) };
  const outcome = await client
    .send({ method: 'POST', path: '/operator/v1/events', stream })
    .finally(() => progress.end());
  const { failed, errors } = outcome as { failed: number; errors: { message: string }[] };
  if (failed > 0) throw new CommandError(`${failed} demo events were rejected: ${errors[0]?.message}`);
}

async function readIds(api: DemoApi, path: string): Promise<string[]> {
  const { data } = await api<{ data: { id: string }[] }>('GET', path);
  return data.map(({ id }) => id);
}

// Key values cannot be shown again, so every start of the demo creates new keys and revokes the previous ones.
async function renewKeys(
  client: OperatorClient,
  organizations: readonly DemoOrganization[],
): Promise<Record<string, string>> {
  const { keys } = (await client.send({ method: 'GET', path: '/operator/v1/keys' })) as {
    keys: { id: string; name: string; revoked_at: string | null }[];
  };
  for (const key of keys.filter(
    ({ name, revoked_at }) => name.startsWith(keyPrefix) && revoked_at === null,
  )) {
    await client.send({ method: 'DELETE', path: `/operator/v1/keys/${key.id}` });
  }
  const [first] = organizations;
  const bound = { provider: first!.provider, org_id: first!.orgId, owner: first!.people[0]!.userId };
  const selfHosted = organizations.find(({ instance }) => instance !== undefined)!;
  const create = async (name: string, request: Record<string, unknown>) => {
    const json = { name: `${keyPrefix}${name}`, ...request };
    return ((await client.send({ method: 'POST', path: '/operator/v1/keys', json })) as { value: string })
      .value;
  };
  return {
    organization: await create('organization', { kind: 'organization', ...bound }),
    user: await create('user', { kind: 'user', ...bound }),
    workspace: await create('workspace', {
      kind: 'workspace',
      workspace: 'northwind',
      owner: adminEmail(organizations, 'northwind'),
      expires_at: new Date(Date.now() + 90 * dayMs).toISOString(),
    }),
    instance: await create('instance', {
      kind: 'instance',
      instance: selfHosted.instance,
      owner: selfHosted.people[0]!.userId,
      home_org_id: selfHosted.orgId,
    }),
  };
}

/** Makes up the companies and what happened there, and returns keys to look at it with. */
async function fillDemo(url: string, client: OperatorClient): Promise<Record<string, string>> {
  const organizations = demoOrganizations();
  await client.send({ method: 'PUT', path: '/operator/v1/platform', json: demoPlatform(organizations) });
  await sendEvents(client, 'Generating four months of reviews', [...demoEvents(organizations, new Date())]);
  const keys = await renewKeys(client, organizations);
  const apiWith = (key: string) => openDemoApi(url, key);
  const organizationApi = apiWith(keys.organization!);
  const learningIds = await readIds(organizationApi, '/v1/learnings');
  const findingIds = await readIds(organizationApi, '/v1/security/scans/code');
  await sendEvents(client, 'Generating reactions', [
    ...demoReactions(organizations[0]!, learningIds, findingIds, new Date()),
  ]);
  const inWorkspace = organizations.filter(({ workspace }) => workspace === 'northwind');
  await createDemoTeams(apiWith(keys.workspace!), inWorkspace);
  await reviewDemoChanges(apiWith(keys.user!), organizations[0]!);
  return keys;
}

function curlLines(url: string, keys: Record<string, string>): string[] {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  const get = (key: string, path: string) => `curl -s -H 'x-service-api-key: ${key}' '${url}${path}'`;
  const window = `start_date=${day(30)}&end_date=${day(0)}`;
  return [
    '# who am I',
    get(keys.organization!, '/v1/me'),
    '# every organization in the workspace',
    get(keys.workspace!, '/v1/organizations'),
    '# what reviews found in the last 30 days',
    get(keys.workspace!, `/v1/metrics/review-comments?${window}&limit=5`),
    '# the same as a table, one row per pull request, for the self-hosted instance',
    get(keys.instance!, `/v1/metrics/reviews?${window}&format=csv`),
    '# the guidance that reviews follow',
    get(keys.user!, '/v1/learnings?limit=5'),
    '# changes that were reviewed by rules; add /<id> for the findings of one',
    get(keys.user!, '/v1/reviews'),
    '# open security findings',
    get(keys.organization!, '/v1/security/scans/code?limit=5'),
  ];
}

const demoHelp = `
The demo has its own database in ${demoDirectory} (POSTIL_DEMO_DIR selects another folder). It never uses POSTIL_DATA_DIR
or DATABASE_URL, and refuses a folder that it did not create. Delete the folder to start over.

Examples:
  postil demo
  POSTIL_PORT=8790 postil demo                         # next to another server
  POSTIL_DATA_DIR=${demoDirectory} postil keys list     # a command for the running demo`;

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('start a server with made-up companies')
    .addHelpText('after', demoHelp)
    .action(async () => {
      const settings = readDemoSettings();
      await claimDemoFolder(settings.dataDirectory);
      // Imported here so that the other commands do not load the whole server.
      const { startServer } = await import('../../../server.ts');
      const waiting = startWaiting('Starting Postil');
      const server = await startServer(settings).finally(() => waiting.end());
      const client = await connectOperator({
        ...settings,
        serverUrl: server.url,
        operatorToken: server.operatorToken,
      });
      // Without what it is to show, the server would be left running for nothing.
      const keys = await fillDemo(server.url, client).catch(async (error: unknown) => {
        await server.stop();
        throw error;
      });
      printNote(
        `Postil demo is ready at ${server.url} (operator token: ${server.tokenSource}, API reference: ${server.url}/docs). Try:\n`,
      );
      for (const line of curlLines(server.url, keys)) print(line);
      printNote(
        server.firstAdminLink === undefined
          ? `\nThe dashboard is at ${server.url}. The keys above are new; those from the previous start no longer work.`
          : `\nThe dashboard is at ${server.url}; become its admin with this link: ${server.firstAdminLink}`,
      );
      printNote('\nStop with Ctrl-C.');
      stopOnSignals(server.stop);
    });
}
