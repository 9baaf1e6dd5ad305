import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
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
  organizationId,
  organizationName,
} from '../../src/cli/demo/company.ts';
import { learningTexts } from '../../src/cli/demo/learnings.ts';
import { readStories, recordingFile } from '../../src/cli/demo/recording.ts';
import { timeOf } from '../../src/cli/demo/story/make-repository.ts';
import type { StoryAct } from '../../src/cli/demo/story/read-story.ts';
import { startTestApp } from '../harness.ts';
import { connect, deliver, runSchedule, settled, startDouble } from '../hosts/connected-host.ts';
import type { ForgePull } from '../hosts/forge/forge-data.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { readRecording } from './read-recording.ts';
import { accountToken, fillStoryForge } from './story-forge.ts';
import { startStoryModel } from './story-model.ts';

const run = promisify(execFile);
const minuteMs = 60_000;

/** An event at one moment of a story. */
interface Moment {
  readonly day: number;
  happen(): Promise<void> | void;
}

/**
 * Plays the stories of the demo's repositories on a real server, with real rules on real commits, at the times of the stories,
 * and records the results. Only the model is scripted.
 */
test('the demo is recorded', { timeout: 3_600_000 }, async () => {
  const stories = await readStories();
  const model = await startStoryModel(stories);
  const openHosts: NonNullable<HostDeps['openHosts']> = new Map();
  // The time of the story: the moment of the current event, plus the real time since it began.
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

  const { people, organization, told } = await fillStoryForge(double, stories);
  await app.platform({ instances: demoPlatform().instances });
  const { id: connectionId } = await connect(app, {
    provider: 'gitea',
    url: double.url,
    instance: demoHost.instance,
    credentials: { token: accountToken },
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
  /** Delivers the host's webhook requests, and waits until all resulting work is done. */
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
    // Approves Learnings that are due.
    await runSchedule(app, 'learnings-lifecycle');
    process.stderr.write(`${day} `);
  }
  Object.assign(clock, { day: 0, since: Date.now() });
  for (const { repository, made } of told)
    await run('git', ['-C', repository.folder!, 'update-ref', 'refs/heads/main', made.main]);
  await runSchedule(app, 'begin inventories');
  await runSchedule(app, 'read due inventories');
  await settled(app, ['evaluate-findings']);
  await sql`UPDATE reviewed_pull_requests SET evaluation_due_at = ${timeOf(1)} WHERE evaluation_due_at IS NOT NULL`;

  const [connection] = await sql`SELECT credentials_id FROM connections WHERE id = ${connectionId}`;
  const recorded = await readRecording(app, openHosts.get(connection!.credentials_id)!, told);
  const text = JSON.stringify(recorded)
    .replaceAll(double.url, demoHost.url)
    .replaceAll('scripted-1', 'northwind-large');
  await writeFile(recordingFile, gzipSync(text, { level: 9 }));
  if (process.env.POSTIL_RECORDED !== undefined)
    await writeFile(process.env.POSTIL_RECORDED, JSON.stringify(JSON.parse(text), null, 1));
  process.stderr.write(`\n${text.length} characters\n`);
});
