import { type WalArchive, walSettings } from './wal-archive.ts';

/** The port is only part of the socket's name: the embedded PostgreSQL listens on no network. */
export const SOCKET_PORT = 5432;

const SETTINGS = {
  listen_addresses: '',
  port: SOCKET_PORT,
  unix_socket_directories: '.', // relative to the data folder, so its length does not matter
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: false,
  max_connections: 60,
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: 1.1,
  jit: false,
  max_parallel_workers_per_gather: 0,
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  wal_compression: true,
  min_wal_size: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
};

/** For tests only: a power failure loses data. */
const NOT_DURABLE = {
  fsync: false,
  synchronous_commit: false,
  full_page_writes: false,
  max_connections: 200,
};

/** PostgreSQL's settings as command line arguments, so that every start uses exactly these. */
export function settingsArguments(durable: boolean, archive?: WalArchive): string[] {
  const settings = { ...SETTINGS, ...(!durable && NOT_DURABLE), ...(archive && walSettings(archive)) };
  return Object.entries(settings).flatMap(([name, value]) => {
    const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
    return ['-c', `${name}=${text}`];
  });
}
