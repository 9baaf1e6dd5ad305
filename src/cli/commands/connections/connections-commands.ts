import type { Command } from 'commander';
import { addConnectionsAdd } from './connections-add.ts';
import { addConnectionsBackfill } from './connections-backfill.ts';
import { addConnectionsCheck } from './connections-check.ts';
import { addConnectionsDeliveries } from './connections-deliveries.ts';
import { addConnectionsList } from './connections-list.ts';
import { addConnectionsPause } from './connections-pause.ts';
import { addConnectionsRemove } from './connections-remove.ts';
import { addConnectionsReplay } from './connections-replay.ts';
import { addConnectionsShow } from './connections-show.ts';
import { addConnectionsSync } from './connections-sync.ts';
import { addConnectionsUpdate } from './connections-update.ts';

/** The commands for connections to Git hosts. */
export function addConnections(program: Command): void {
  const connections = program.command('connections').description('Git hosts that feed this installation');
  for (const add of [
    addConnectionsAdd,
    addConnectionsList,
    addConnectionsShow,
    addConnectionsCheck,
    addConnectionsSync,
    addConnectionsBackfill,
    addConnectionsUpdate,
    addConnectionsPause,
    addConnectionsRemove,
    addConnectionsDeliveries,
    addConnectionsReplay,
  ])
    add(connections);
}
