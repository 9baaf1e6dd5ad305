import type { Reader } from '../../db/replicas/consecutive-reads.ts';
import { selectChains } from './select-chains.ts';
import {
  type ChainRow,
  findEntriesAfter,
  findFirstPositionSince,
  type LinkedEntry,
  type OrganizationReference,
} from './store.ts';

const entriesPerRead = 1000;

function toJsonLine({ entry, previousHash, hash }: LinkedEntry, chain: ChainRow): string {
  const line = {
    id: entry.id,
    created_at: entry.created_at.toISOString(),
    action: entry.action,
    resource_type: entry.resource_type,
    resource_id: entry.resource_id,
    resource_summary: entry.resource_summary,
    actor: {
      type: entry.actor_type,
      id: entry.actor_id,
      name: entry.actor_name,
      subtitle: entry.actor_subtitle,
      is_bot: entry.actor_is_bot,
    },
    metadata: entry.metadata,
    ip_address: entry.ip_address,
    request_id: entry.request_id,
    provider: chain.provider,
    org_id: chain.org_id,
    instance: chain.instance,
    workspace: chain.workspace,
    chain_id: entry.chain_id,
    position: entry.position,
    previous_hash: previousHash.toString('hex'),
    hash: hash.toString('hex'),
  };
  return `${JSON.stringify(line)}\n`;
}

async function* exportChain(read: Reader, chain: ChainRow, since: Date | undefined): AsyncGenerator<string> {
  const first =
    since === undefined ? 1 : await read(({ sql }) => findFirstPositionSince(sql, chain.chain_id, since));
  if (first === undefined) return;
  for (let position = first - 1; ; ) {
    const after = position;
    const linked = await read(({ sql }) => findEntriesAfter(sql, chain.chain_id, after, entriesPerRead));
    const last = linked.at(-1);
    if (last === undefined) return;
    position = last.entry.position;
    const wanted = since === undefined ? linked : linked.filter(({ entry }) => entry.created_at >= since);
    if (wanted.length > 0) yield wanted.map((link) => toJsonLine(link, chain)).join('');
  }
}

/** Streams the entries as lines of JSON, chain by chain and oldest first, in bounded memory however many there are. */
export async function exportEntries(
  read: Reader,
  { since, ...organization }: OrganizationReference & { readonly since?: Date | undefined },
): Promise<AsyncIterable<string>> {
  const chains = await read(({ sql }) => selectChains(sql, organization));
  return (async function* () {
    for (const chain of chains) yield* exportChain(read, chain, since);
  })();
}
