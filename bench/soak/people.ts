import { learningTexts, securityRules } from '../../test/companies/texts.ts';
import type { ForgePull } from '../../test/hosts/forge/forge-data.ts';
import type { Sender } from './calls.ts';
import type { Company } from './company.ts';
import type { Installation } from './installation.ts';
import type { Kind } from './week.ts';

const dayMs = 86_400_000;

/** The actions of people and their programs, by kind. Each call does one action; it returns false if there was nothing to do. */
export function doingsOf(
  { calls, tenant, adminKey, keys, agentKey, sessions, scope, database }: Installation,
  company: Company,
): Record<Kind, () => Promise<unknown>> {
  const { host, random, repositories } = company;
  let serial = 0;
  const written: string[] = [];
  const admin: Sender = { key: adminKey };
  const someKey = (): Sender => ({ key: random.pick(keys) });
  const someRepository = () => String(random.pick(repositories).id);
  const somebody = () => random.pick(company.people);

  /** Sends the host's pending deliveries to the server. */
  async function deliver(): Promise<void> {
    for (const { url, headers, body } of host.takeDeliveries())
      await calls.send('delivery', { headers: { ...headers } }, 'POST', new URL(url).pathname, body);
  }
  async function onHost(work: () => unknown): Promise<unknown> {
    const outcome = await work();
    await deliver();
    return outcome;
  }
  const onPull = (work: (pull: ForgePull) => unknown) =>
    onHost(() => {
      const pull = company.somePull();
      return pull !== undefined && work(pull);
    });

  function sendEvent(kind: Kind, type: string, data: object): Promise<unknown> {
    serial += 1;
    const time = new Date().toISOString();
    const event = {
      specversion: '1.0',
      id: `soak-${serial}`,
      source: 'soak',
      type,
      time,
      data: { ...tenant, ...data },
    };
    return calls.send(kind, 'operator', 'POST', '/operator/v1/events', event);
  }

  function otherReview() {
    const number = 1_000_000 + serial;
    const url = `https://reviews.test/${number}`;
    const at = new Date(Date.now() - random.below(7) * dayMs).toISOString();
    const author = somebody();
    const findings = Array.from({ length: random.below(6) }, (_, index) => ({
      finding_id: `f${index}`,
      url: `${url}#${index}`,
      severity: random.pick(['critical', 'major', 'minor', 'trivial']),
      category: random.pick(['functional_correctness', 'security_and_privacy']),
      accepted: random.chance(0.6),
    }));
    return {
      repository_id: someRepository(),
      number,
      url,
      state: 'merged',
      author_id: String(author.id),
      author_username: author.login,
      created_at: at,
      merged_at: at,
      findings,
    };
  }

  function scan() {
    const repository_id = someRepository();
    const findings = Array.from({ length: 4 + random.below(10) }, (_, index) => ({
      ...securityRules[index % securityRules.length]!,
      file_path: `src/module-${index}.ts`,
      start_line: 1 + index,
      end_line: 2 + index,
      fingerprint: `${repository_id}-${index}`,
    }));
    const scan_id = `scan-${serial}`;
    return { repository_id, scan_id, revision: scan_id, coverage_scope: 'repository', findings };
  }

  const guidance = () => `${random.pick(learningTexts)} This is number ${++serial} of what was learned.`;

  async function writeLearning(): Promise<void> {
    const body = { data: [{ repository_id: someRepository(), learning: guidance() }] };
    const { json } = await calls.send('Learning written', admin, 'POST', '/v1/learnings', body);
    const id = json?.results?.[0]?.id;
    if (typeof id === 'string') written.push(id);
  }

  function askForReview(): Promise<unknown> {
    const name = `load-${++serial}.ts`;
    const lines = ['export function load(name: string): string {', '  return name;', '}'];
    const diff = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,3 @@\n${lines.map((line) => `+${line}\n`).join('')}`;
    const body = {
      repository_id: someRepository(),
      diff,
      files: [{ path: name, content: `${lines.join('\n')}\n` }],
    };
    return calls.send('review asked for by an agent', { key: agentKey }, 'POST', '/v1/reviews', body);
  }

  const today = () => new Date().toISOString().slice(0, 10);
  const window = () =>
    `start_date=${new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10)}&end_date=${today()}`;

  /** The requests of the dashboard's most used pages. */
  const pages = () => [
    ['inbox?tab=all', 'inbox/summary'],
    [`insights/summary?${window()}`, `insights/pull-requests?${window()}`],
    ['reviews?limit=20', 'inbox/summary'],
    ['learnings?limit=20', 'learnings/health'],
    ['security/summary', 'security/findings'],
    ['search?search=change', 'inbox/summary'],
  ];
  async function openPage(): Promise<void> {
    const session = random.pick(sessions);
    for (const part of random.pick(pages())) {
      const at = `/dashboard/v1/${part}${part.includes('?') ? '&' : '?'}${scope}`;
      await calls.send('dashboard page', session, 'GET', at);
    }
  }

  function changePeople(kind: Kind, at: string, body: object): Promise<unknown> {
    const user_ids = [String(random.pick(company.people.slice(100, 500)).id)];
    return calls.send(kind, admin, 'POST', at, { ...body, user_ids });
  }

  return {
    'pull request opened': () => onHost(() => company.openPull()),
    push: () => onHost(() => company.push()),
    'pull request ended': () => onHost(() => company.end()),
    'review by a person': () =>
      onPull((pull) =>
        host.state.review(pull, somebody(), { state: random.chance(0.6) ? 'approved' : 'commented' }),
      ),
    comment: () => onPull((pull) => host.state.comment(pull, somebody(), 'Looks good to me, thanks.')),
    'answer to a finding': () =>
      onPull((pull) => {
        const [root] = host.state.threads(pull).find(([first]) => first!.user.isBot) ?? [];
        return root !== undefined && host.state.answer(pull, pull.author, root, 'Good catch, fixed.');
      }),
    'event of another reviewer': () =>
      sendEvent('event of another reviewer', 'postil.pull_request', otherReview()),
    'security scan': () => sendEvent('security scan', 'postil.security_scan', scan()),
    'Learning captured': () =>
      sendEvent('Learning captured', 'postil.learning_captured', {
        repository_id: someRepository(),
        learning: guidance(),
        author_id: String(somebody().id),
        origin: 'chat',
      }),
    'review asked for by an agent': askForReview,
    'Learning written': writeLearning,
    'Learning changed': async () => {
      // Removed from the list meanwhile, so that no concurrent action deletes it.
      const id = written.pop();
      if (id === undefined) return;
      await calls.send('Learning changed', admin, 'PATCH', `/v1/learnings/${id}`, { learning: guidance() });
      written.push(id);
    },
    'Learning deleted': async () => {
      const id = written.shift();
      if (id !== undefined) await calls.send('Learning deleted', admin, 'DELETE', `/v1/learnings/${id}`);
    },
    'seats changed': () =>
      changePeople('seats changed', '/v1/users/seats', {
        action: random.chance(0.5) ? 'assign' : 'unassign',
      }),
    'role changed': () =>
      changePeople('role changed', '/v1/users/roles', {
        role: random.chance(0.5) ? 'cr_admin' : 'cr_member',
      }),
    'Learnings searched': () =>
      calls.send('Learnings searched', someKey(), 'POST', '/v1/learnings/search', {
        repository_id: someRepository(),
        query: random.pick(learningTexts).split(' ').slice(0, 4).join(' '),
      }),
    'metrics read': () =>
      calls.send('metrics read', someKey(), 'GET', `/v1/metrics/review-comments?${window()}&limit=50`),
    'audit log read': () => calls.send('audit log read', admin, 'GET', '/v1/audit-logs'),
    'dashboard page': openPage,
    // Instead of waiting for the schedule, a digest is made due.
    'digest due': () => database.sql`
      UPDATE digests SET next_due_at = now() WHERE (organization_id, id) = (
        SELECT organization_id, id FROM digests d WHERE NOT EXISTS (
          SELECT FROM digest_issues i WHERE i.organization_id = d.organization_id AND i.digest_id = d.id) LIMIT 1)`,
  };
}
