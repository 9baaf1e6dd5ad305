import type { Db } from '../../db/database.ts';
import { hashEntry } from './hash-chain.ts';
import { selectChains } from './select-chains.ts';
import {
  type ChainHead,
  type ChainRow,
  findEntriesAfter,
  findHead,
  type LinkedEntry,
  type OrganizationReference,
} from './store.ts';

const entriesPerRead = 1000;

export interface ChainFault {
  /** Position of the first inconsistency. */
  readonly position: number;
  readonly message: string;
}

export interface VerifiedChain extends ChainRow {
  /** Number of intact entries, counted from the start of the chain. */
  readonly entries: number;
  /** Hash of the last intact entry. Stored elsewhere, it proves later that nothing before it was changed. */
  readonly head: string;
  readonly fault: ChainFault | null;
}

function findEntryFault({ entry, previousHash, hash }: LinkedEntry, expected: ChainHead): string | undefined {
  const { last_position: before, last_hash: lastHash } = expected;
  if (entry.position !== before + 1) return 'an entry is missing';
  if (!previousHash.equals(lastHash)) return 'the entry does not link to the one before it';
  if (!hashEntry(lastHash, entry).equals(hash)) return 'the entry was changed';
  return undefined;
}

function findHeadFault(head: ChainHead | undefined, reached: ChainHead): string | undefined {
  if (head === undefined) return 'the end of the chain is not recorded';
  if (head.last_position < reached.last_position) return 'there are entries beyond the recorded end';
  if (head.last_position > reached.last_position) return 'entries are missing at the end';
  return head.last_hash.equals(reached.last_hash) ? undefined : 'the recorded end was changed';
}

/** Walks a chain from its first entry to its end in bounded memory, stopping at the first inconsistency. */
async function verifyChain(db: Db, chain: ChainRow): Promise<VerifiedChain> {
  const reached: ChainHead = { last_position: 0, last_hash: Buffer.alloc(32) };
  const result = (message?: string): VerifiedChain => ({
    ...chain,
    entries: reached.last_position,
    head: reached.last_hash.toString('hex'),
    fault: message === undefined ? null : { position: reached.last_position + 1, message },
  });
  for (let head = await findHead(db, chain.chain_id); ; ) {
    const linked = await findEntriesAfter(db, chain.chain_id, reached.last_position, entriesPerRead);
    for (const link of linked) {
      const message = findEntryFault(link, reached);
      if (message !== undefined) return result(message);
      reached.last_position = link.entry.position;
      reached.last_hash = link.hash;
    }
    if (linked.length > 0) continue;
    if (head !== undefined && head.last_position > reached.last_position)
      return result(findHeadFault(head, reached));
    // Entries may have been added in the meantime; then the recorded end has moved too, and there is more to read.
    head = await findHead(db, chain.chain_id);
    if (head === undefined || head.last_position <= reached.last_position)
      return result(findHeadFault(head, reached));
  }
}

/** Recomputes the hash chains of every organization, every workspace and the platform, or of one organization. */
export async function verifyChains(db: Db, organization: OrganizationReference) {
  const chains = await selectChains(db, organization);
  const verified: VerifiedChain[] = [];
  for (const chain of chains) verified.push(await verifyChain(db, chain));
  return {
    verified: verified.every(({ fault }) => fault === null),
    entries: verified.reduce((sum, { entries }) => sum + entries, 0),
    chains: verified,
  };
}
