import { member, organization } from '../sample-platform.ts';
import { type Cluster, withDatabase } from './cluster.ts';
import { type Node, startNode } from './nodes.ts';
import type { Organization } from './writers.ts';

/** Several organizations, because the rate limits of each are low. */
const organizationIds = ['1001', '1002', '1003', '1004', '1005', '1006'];

/** Creates organizations with an admin and a member whose role and seat are changed, and a webhook for these changes. */
export async function fillPlatform(node: Node, receiverUrl: string): Promise<Organization[]> {
  const must = async (...given: Parameters<Node['call']>) => {
    const answer = await node.call(...given);
    if (answer.status >= 300 || answer.status === 0)
      throw new Error(`${given[1]}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const members = [member('9001', { role: 'cr_admin' }), member('9002')];
  const documents = organizationIds.map((id) => organization({ provider_organization_id: id, members }));
  await must('PUT', '/operator/v1/platform', { organizations: documents });
  const organizations: Organization[] = [];
  for (const id of organizationIds) {
    const owner = { provider: 'github', org_id: id, owner: '9001' };
    const { value: key } = await must('POST', '/operator/v1/keys', {
      name: 'test',
      kind: 'organization',
      ...owner,
    });
    const { value: agentKey } = await must('POST', '/operator/v1/keys', {
      name: 'agent',
      kind: 'agentic',
      ...owner,
    });
    await must('POST', '/v1/users/seats', { action: 'assign', user_ids: ['9001'] }, key);
    const hook = { url: `${receiverUrl}/${id}`, types: ['postil.member.changed'] };
    await must('POST', '/v1/webhooks', hook, key);
    organizations.push({ id, key, agentKey });
  }
  return organizations;
}

/** The settings of two nodes that reach the primary in different ways, and also read from replicas. */
function nodeSettings(cluster: Cluster, embeddingsUrl: string, isPooled: boolean): Record<string, string>[] {
  const shared = { POSTIL_EMBEDDINGS_URL: embeddingsUrl, POSTIL_EMBEDDINGS_MODEL: 'test' };
  const hosts = cluster.members.map(({ port }) => `127.0.0.1:${port}`).join();
  const first = isPooled
    ? withDatabase(`127.0.0.1:${cluster.pgbouncerPort}`, '?pooling=transaction')
    : withDatabase(`127.0.0.1:${cluster.haproxyPort}`);
  return [
    {
      ...shared,
      DATABASE_URL: first,
      DATABASE_REPLICA_URL: withDatabase(`127.0.0.1:${cluster.replicaPort}`),
    },
    {
      ...shared,
      DATABASE_URL: withDatabase(hosts, '?target_session_attrs=read-write'),
      DATABASE_REPLICA_URL: withDatabase(hosts),
    },
  ];
}

export async function startNodes(
  cluster: Cluster,
  embeddingsUrl: string,
  isPooled: boolean,
): Promise<Node[]> {
  const names = [isPooled ? 'pgbouncer' : 'haproxy', 'hosts'];
  const nodes: Node[] = [];
  for (const [index, settings] of nodeSettings(cluster, embeddingsUrl, isPooled).entries())
    nodes.push(await startNode(names[index]!, settings));
  return nodes;
}

export async function createDatabase(cluster: Cluster): Promise<void> {
  const primary = await cluster.settle();
  await primary.database.sql.unsafe('CREATE DATABASE postil');
  // Settings that a session cannot set through PgBouncer.
  for (const setting of [
    "lock_timeout = '15s'",
    "statement_timeout = '50s'",
    "idle_in_transaction_session_timeout = '10s'",
    'jit = off',
    'client_min_messages = warning',
  ])
    await primary.database.sql.unsafe(`ALTER DATABASE postil SET ${setting}`);
}
