import type { Db } from '../../db/database.ts';
import { hashEntry } from './record-changes.ts';
import { selectChains } from './select-chains.ts';
import {
  type ChainHead,
  type ChainRow,
  findEntriesBehind,
  findHead,
  type LinkedEntry,
  type OrganizationName,
} from './store.ts';

const entriesPerRead = 1000;

export interface ChainFault {
  /** Where the chain first disagrees with itself. */
  readonly position: number;
  readonly message: string;
}

export interface VerifiedChain extends ChainRow {
  /** How many entries agree, from the first on. */
  readonly entries: number;
  /** The hash of the last one that agrees; kept elsewhere, it proves later that nothing before was changed. */
  readonly head: string;
  readonly fault: ChainFault | null;
}

function faultOf({ entry, previousHash, hash }: LinkedEntry, expected: ChainHead): string | undefined {
  const { last_position: before, last_hash: lastHash } = expected;
  if (entry.position !== before + 1) return 'an entry is missing';
  if (!previousHash.equals(lastHash)) return 'the entry does not continue the one before it';
  if (!hashEntry(lastHash, entry).equals(hash)) return 'the entry was changed';
  return undefined;
}

function headFaultOf(head: ChainHead | undefined, reached: ChainHead): string | undefined {
  if (head === undefined) return 'the end of the chain is not recorded';
  if (head.last_position < reached.last_position) return 'there are entries behind the recorded end';
  if (head.last_position > reached.last_position) return 'entries are missing at the end';
  return head.last_hash.equals(reached.last_hash) ? undefined : 'the recorded end was changed';
}

/** Reads a chain from its first entry to its end, in bounded memory, until it first disagrees with itself. */
async function verifyChain(db: Db, chain: ChainRow): Promise<VerifiedChain> {
  const reached: ChainHead = { last_position: 0, last_hash: Buffer.alloc(32) };
  const result = (message?: string): VerifiedChain => ({
    ...chain,
    entries: reached.last_position,
    head: reached.last_hash.toString('hex'),
    fault: message === undefined ? null : { position: reached.last_position + 1, message },
  });
  for (let head = await findHead(db, chain.chain_id); ; ) {
    const linked = await findEntriesBehind(db, chain.chain_id, reached.last_position, entriesPerRead);
    for (const link of linked) {
      const message = faultOf(link, reached);
      if (message !== undefined) return result(message);
      reached.last_position = link.entry.position;
      reached.last_hash = link.hash;
    }
    if (linked.length > 0) continue;
    if (head !== undefined && head.last_position > reached.last_position)
      return result(headFaultOf(head, reached));
    // Entries may have come while we read; then the end has moved on as well, and there is more to read.
    head = await findHead(db, chain.chain_id);
    if (head === undefined || head.last_position <= reached.last_position)
      return result(headFaultOf(head, reached));
  }
}

/** Recomputes the hash chains of the audit log: of every organization, workspace and the platform, or of one organization. */
export async function verifyChains(db: Db, name: OrganizationName) {
  const chains = await selectChains(db, name);
  const verified: VerifiedChain[] = [];
  for (const chain of chains) verified.push(await verifyChain(db, chain));
  return {
    verified: verified.every(({ fault }) => fault === null),
    entries: verified.reduce((sum, { entries }) => sum + entries, 0),
    chains: verified,
  };
}
