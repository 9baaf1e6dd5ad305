import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { HostDeps } from '../../src/capabilities/connections/open-host.ts';
import { advisories } from '../../src/cli/demo/advisories.ts';
import {
  demoHost,
  demoPeople,
  demoPlatform,
  demoRepositories,
  demoTeams,
  organizationId,
  organizationName,
  ownAccount,
} from '../../src/cli/demo/company.ts';
import { learningTexts } from '../../src/cli/demo/learnings.ts';
import { readStories, recordedTables, recordingFile } from '../../src/cli/demo/recording.ts';
import { makeBareRepository, makeRepository, timeOf } from '../../src/cli/demo/story/make-repository.ts';
import type { Story, StoryAct } from '../../src/cli/demo/story/read-story.ts';
import { startTestApp } from '../harness.ts';
import { connect, deliver, runJob, settled, startDouble } from '../hosts/connected-host.ts';
import type { ForgePull, ForgeRepository } from '../hosts/forge/forge-data.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { startScriptedModel } from '../models/scripted-model.ts';

const run = promisify(execFile);
const minuteMs = 60_000;

interface Told {
  readonly story: Story;
  readonly repository: ForgeRepository;
  readonly made: Awaited<ReturnType<typeof makeRepository>>;
}

/** What happens at one moment of a story. */
interface Moment {
  readonly day: number;
  happen(): Promise<void> | void;
}

/**
 * Plays the stories of the demo's repositories through the real server, with real rules on real commits, at the times that they
 * tell, and writes down what it made of them. Only the model is scripted.
 */
test('the demo is recorded', { timeout: 3_600_000 }, async () => {
  const stories = await readStories();
  const words = stories.flatMap((story) => story.words);
  const model = await startScriptedModel('openai', ({ instructions, data }) => {
    if (instructions.includes('You answer a question')) return { answer: { answer: answerTo(data) } };
    if (!instructions.includes('findings')) return { answer: { remove: [] } };
    const said = words.filter(({ path: file, quote }) => data.includes(file) && data.includes(quote));
    const findings = said.map(({ learning, suggestion = null, ...word }) => ({
      ...word,
      suggestion,
      learning_ids: learning === undefined ? [] : learningNames(data, learning),
    }));
    return { answer: { summary: 'Looked at.', findings } };
  });
  const openHosts: NonNullable<HostDeps['openHosts']> = new Map();
  // The story's time: it stands at a moment, and goes on from there as long as the server works.
  const clock = { day: 180, since: Date.now() };
  const now = () => new Date(timeOf(clock.day).getTime() + (Date.now() - clock.since));
  const app = await startTestApp({
    openHosts,
    clock: now,
    settings: {
      model: { ...model.settings, priceIn: 3, priceOut: 15 },
      reviewLimits: { maxTokens: 200_000, maxSeconds: 600 },
      publicUrl: 'https://postil.northwind.test',
      searchPath: process.env.PATH,
    },
  });
  const { sql } = app.database;
  const double = await startDouble(new GiteaDouble());
  double.hasReplies = true;
  double.hasResolve = true;
  const { state } = double;
  state.now = now();

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
  double.tokens.set('token-of-the-account-at-the-host', own);
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
    // The host counts on from here.
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

  await app.platform({ instances: demoPlatform().instances });
  const { id: connectionId } = await connect(app, {
    provider: 'gitea',
    url: double.url,
    instance: demoHost.instance,
    credentials: { token: 'token-of-the-account-at-the-host' },
    organizations: [organizationName],
    review: 'on',
    defaults: {
      plan: 'enterprise',
      subscription: 'active',
      seats_purchased: 30,
      seat_assignment_mode: 'automatic',
    },
  });
  await app.queue.startWorkers();
  after(() => app.queue.stop());
  await settled(app);
  await app.platform({ organizations: demoPlatform().organizations });
  const tenant = { provider: 'gitea', org_id: organizationId, instance: demoHost.instance };
  const key = await app.createKey({ kind: 'user', ...tenant, owner: demoPeople[0]!.id });
  const answer = await app.operator('POST', '/operator/v1/osv/advisories', advisories);
  assert.equal(answer.status, 200, answer.text);
  /** Delivers what the host has to tell, and waits until all that follows from it is done. */
  async function bring(): Promise<void> {
    for (let told = double.takeDeliveries(); told.length > 0; told = double.takeDeliveries()) {
      for (const delivery of told) assert.equal((await deliver(app, delivery)).status, 202);
      await settled(app, ['evaluate-findings']);
    }
  }

  const moments: Moment[] = learningTexts.map(({ learning, repository, author, day, file }, index) => ({
    day,
    async happen() {
      const captured = await app.events([
        {
          specversion: '1.0',
          id: `learning/${index}`,
          source: '/demo',
          type: 'postil.learning_captured',
          time: timeOf(day).toISOString(),
          data: {
            ...tenant,
            repository_id: demoRepositories.find(({ name }) => name === repository)!.id,
            learning,
            author_id: demoPeople.find(({ username }) => username === author)!.id,
            origin: index % 3 === 0 ? 'chat' : 'pipeline',
            ...(file !== undefined && { file }),
          },
        },
      ]);
      assert.equal(captured.status, 200, captured.text);
    },
  }));
  for (const { story, repository, made } of told)
    for (const { pull, number, base, heads } of made.pulls) {
      const isThere = (day: number) => day >= pull.day;
      let forged: ForgePull | undefined;
      const git = (...given: string[]) =>
        run('git', ['-C', repository.folder!, ...given]).then(({ stdout }) => stdout);
      const show = async (head: string) => {
        const diff = await git('diff', `${base}...${head}`);
        const numbers = (await git('diff', '--numstat', `${base}...${head}`)).trim().split('\n');
        const sum = (column: number) =>
          numbers.reduce((all, line) => all + (Number(line.split('\t')[column]) || 0), 0);
        await git('update-ref', `refs/pull/${number}/head`, head);
        await git('update-ref', 'refs/heads/topic', head);
        return { diff, size: { added: sum(0), removed: sum(1), files: numbers.length } };
      };
      const opening = heads[pull.commits.filter(({ day }) => isThere(day)).length - 1]!;
      moments.push({
        day: pull.day,
        async happen() {
          const { diff, size } = await show(opening);
          await git('update-ref', 'refs/heads/main', base);
          forged = state.open(repository, people.get(pull.author)!, {
            head: opening,
            base: { sha: base, ref: 'main' },
            isDraft: pull.isDraft,
          });
          Object.assign(forged, {
            title: pull.title,
            description: pull.description,
            diff,
            size,
            asked: {
              users: pull.asked.map((name) => people.get(name)!),
              teams: organization.teams.filter(({ name }) => pull.askedTeams.includes(name)),
            },
          });
        },
      });
      for (const [index, { day }] of pull.commits.entries())
        if (!isThere(day))
          moments.push({
            day,
            async happen() {
              const { diff, size } = await show(heads[index]!);
              Object.assign(forged!, { diff, size });
              state.push(forged!, { head: heads[index]! });
            },
          });
      for (const act of pull.acts) moments.push({ day: act.day, happen: () => perform(act) });
      async function perform({ kind, by, about, text }: StoryAct): Promise<void> {
        const person = people.get(by)!;
        switch (kind) {
          case 'say':
            return void state.comment(forged!, person, text);
          case 'reply': {
            const thread = state.threads(forged!).find(([root]) => root!.body.includes(about));
            assert.ok(
              thread,
              `${story.name} ${number}: no comment about ${about}: ${state
                .threads(forged!)
                .map(([root]) => root!.body.slice(0, 200))
                .join('\n---\n')}`,
            );
            return void state.answer(forged!, person, thread[0]!, text);
          }
          case 'approve':
            return void state.review(forged!, person, { state: 'approved' });
          case 'merge':
          case 'close':
            return void state.end(forged!, kind === 'merge' ? 'merged' : 'closed', person);
          case 'coverage': {
            const head_revision = forged!.commits.at(-1)!.sha;
            const body = { repository_id: String(repository.id), head_revision, format: about, report: text };
            const sent = await app.call('POST', '/v1/reviews/coverage', { key, body });
            assert.ok(sent.status < 300, sent.text);
            await settled(app, ['evaluate-findings']);
          }
        }
      }
    }
  for (const { day, happen } of moments.sort((a, b) => b.day - a.day)) {
    Object.assign(clock, { day, since: Date.now() });
    state.now = new Date(now().getTime() - minuteMs);
    await happen();
    await bring();
    // Learnings are approved when their time has come.
    await runJob(app, 'learnings-lifecycle');
    process.stderr.write(`${day} `);
  }
  Object.assign(clock, { day: 0, since: Date.now() });
  for (const { repository, made } of told)
    await run('git', ['-C', repository.folder!, 'update-ref', 'refs/heads/main', made.main]);
  await runJob(app, 'begin inventories');
  await runJob(app, 'read due inventories');
  await settled(app, ['evaluate-findings']);
  await sql`UPDATE reviewed_pull_requests SET evaluation_due_at = ${timeOf(1)} WHERE evaluation_due_at IS NOT NULL`;

  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${organizationId}`;
  const repositories = await sql`
    SELECT id, provider_repository_id AS "providerId" FROM repositories WHERE organization_id = ${row!.id}`;
  const tables: Record<string, unknown[]> = {};
  for (const name of recordedTables) {
    const rows = await sql`SELECT to_jsonb(t) AS row FROM ${sql(name)} t`;
    tables[name] = rows.map((one) => one.row);
  }
  const [connection] = await sql`SELECT credentials_id FROM connections WHERE id = ${connectionId}`;
  const host = openHosts.get(connection!.credentials_id)!;
  const pulls = [];
  for (const { story, repository, made } of told)
    for (const { number } of made.pulls) {
      const ref = { id: String(repository.id), fullName: `${organizationName}/${story.name}` };
      pulls.push({
        repository: ref.id,
        pull: await host.readPullRequest(ref, number),
        approvals: await host.readApprovals(ref, number),
        threads: await host.readThreads(ref, number),
        conversation: await Array.fromAsync(host.listConversation(ref, number)),
      });
    }
  const audit = await sql`
    SELECT action, resource_type, resource_id, resource_summary, actor_type, actor_id, actor_name, metadata, created_at
    FROM audit_entries WHERE organization_id = ${row!.id} AND (action LIKE 'learning.%' OR action LIKE 'pull_request.%') ORDER BY position`;
  const recorded = {
    organization: row!.id,
    repositories: Object.fromEntries(repositories.map(({ id, providerId }) => [providerId, id])),
    tables,
    pulls,
    audit,
  };
  const text = JSON.stringify(recorded)
    .replaceAll(double.url, demoHost.url)
    .replaceAll('scripted-1', 'northwind-large');
  await writeFile(recordingFile, gzipSync(text, { level: 9 }));
  if (process.env.POSTIL_RECORDED !== undefined)
    await writeFile(process.env.POSTIL_RECORDED, JSON.stringify(JSON.parse(text), null, 1));
  process.stderr.write(`\n${text.length} characters\n`);
});

/** The names under which a Learning is shown to the model. */
function learningNames(data: string, beginning: string): string[] {
  const index = data.indexOf(beginning);
  if (index === -1) return [];
  const names = data.slice(0, index).match(/\bL\d+\b/g);
  return names === null ? [] : [names.at(-1)!];
}

/** What the model says to the questions of the stories. */
function answerTo(data: string): string {
  return data.includes('idempotency')
    ? 'The key is the same for every attempt of one capture because it is made from the order and the amount, so a second attempt after a timeout returns the first result instead of charging again.'
    : 'The lock is held while the file is read, and the read can take as long as the disk needs; the other callers wait for it.';
}
