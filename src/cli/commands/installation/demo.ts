import type { Command } from 'commander';
import { demoDirectory, readDemoSettings } from '../../../settings.ts';
import { stopOnSignals } from '../../../stop-signals.ts';
import { claimDemoFolder } from '../../demo/claim-demo-folder.ts';
import { colleague, viewer } from '../../demo/company.ts';
import { viewerKey } from '../../demo/demo-events.ts';
import { connectOperator, type OperatorClient } from '../../operator-client.ts';
import { print, printNote, startWaiting } from '../../output.ts';

const keyPrefix = 'demo ';
const dayMs = 86_400_000;

// Key values cannot be shown again, so every start of the demo creates new keys and revokes the previous ones.
async function renewKeys(client: OperatorClient): Promise<Record<'organization' | 'user', string>> {
  const { keys } = (await client.send({ method: 'GET', path: '/operator/v1/keys' })) as {
    keys: { id: string; name: string; revoked_at: string | null }[];
  };
  const former = keys.filter(({ name, revoked_at }) => name.startsWith(keyPrefix) && revoked_at === null);
  for (const { id } of former) await client.send({ method: 'DELETE', path: `/operator/v1/keys/${id}` });
  const create = async (kind: string) => {
    const json = { name: `${keyPrefix}${kind}`, kind, ...viewerKey };
    const created = await client.send({ method: 'POST', path: '/operator/v1/keys', json });
    return (created as { value: string }).value;
  };
  return { organization: await create('organization'), user: await create('user') };
}

/** Creates a link to sign in as a person. */
async function invite(client: OperatorClient, email: string, installation_admin: boolean): Promise<string> {
  const json = { email, installation_admin };
  const invitation = await client.send({ method: 'POST', path: '/operator/v1/dashboard-invitations', json });
  return (invitation as { url: string }).url;
}

function curlLines(url: string, keys: Record<'organization' | 'user', string>): string[] {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  const get = (key: string, path: string) => `curl -s -H 'x-service-api-key: ${key}' '${url}${path}'`;
  const window = `start_date=${day(30)}&end_date=${day(0)}`;
  return [
    '# who am I',
    get(keys.organization, '/v1/me'),
    '# what reviews found in the last 30 days',
    get(keys.organization, `/v1/metrics/review-comments?${window}&limit=5`),
    '# the merged pull requests of these days as a table, with the numbers of their findings',
    get(keys.organization, `/v1/metrics/reviews?${window}&format=csv&limit=5`),
    '# reviews; add /<id> for the findings and the report of one',
    get(keys.user, '/v1/reviews?limit=5'),
    '# rules, with the outcomes of their findings',
    get(keys.user, '/v1/reviews/rules?limit=5'),
    '# the guidance that reviews follow',
    get(keys.user, '/v1/learnings?limit=5'),
    '# open security findings',
    get(keys.organization, '/v1/security/scans/code?limit=5'),
  ];
}

const commandForDemo = `POSTIL_DATA_DIR=${demoDirectory} postil keys list`;
const demoHelp = `
Half a year of a made-up company: people, pull requests, and three repositories with real code, which real rules have reviewed.
No other hosts are contacted.

The demo has its own database in ${demoDirectory} (POSTIL_DEMO_DIR selects another folder). It never uses POSTIL_DATA_DIR
or DATABASE_URL, and refuses a folder that it did not create. Another start continues with the existing data; delete the folder
to start over.

Examples:
  postil demo
  ${'POSTIL_PORT=8790 postil demo'.padEnd(commandForDemo.length)}   # next to another server
  ${commandForDemo}   # a command for the running demo`;

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('start a server with half a year of data of a fictitious company')
    .addHelpText('after', demoHelp)
    .action(async () => {
      const settings = readDemoSettings();
      await claimDemoFolder(settings.dataDirectory);
      const waiting = startWaiting('Starting Postil');
      // Imported here so that the other commands do not load the whole server.
      const { startDemo } = await import('../../demo/start-demo.ts');
      const { server, fill, stop } = await startDemo(settings).finally(() => waiting.end());
      // If filling fails, the server must be stopped: without the demo's data, it would run for nothing.
      const { keys, link } = await (async () => {
        const client = await connectOperator({
          ...settings,
          serverUrl: server.url,
          operatorToken: server.operatorToken,
        });
        await fill(client);
        // The dashboard then considers the setup complete, so that the viewer starts with the Inbox.
        await invite(client, colleague.email, false);
        return { keys: await renewKeys(client), link: await invite(client, viewer.email, true) };
      })().catch(async (error: unknown) => {
        await stop();
        throw error;
      });
      printNote(
        `Postil demo is ready at ${server.url} (operator token: ${server.tokenSource}, API reference: ${server.url}/docs). Try:\n`,
      );
      for (const line of curlLines(server.url, keys)) print(line);
      printNote(
        `\nThe dashboard is at ${server.url}. Sign in as ${viewer.username}, who is an admin, with this link: ${link}`,
      );
      printNote(
        'It asks for a password of your choice, of at least 12 characters, which the demo alone uses.',
      );
      printNote('(Links and keys are new with every start.)\n\nStop with Ctrl-C.');
      stopOnSignals(async () => {
        printNote('Stopping: finishing requests in flight …');
        await stop();
      });
    });
}
