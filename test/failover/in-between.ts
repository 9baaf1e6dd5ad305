import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Member, Start } from './member.ts';
import { databasePassword, databaseUser } from './member.ts';
import type { Programs } from './programs.ts';

export async function startHaproxy(
  start: Start,
  folder: string,
  programs: Programs,
  members: readonly Member[],
  ports: { readonly haproxyPort: number; readonly replicaPort: number },
) {
  const servers = members.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  );
  const listen = (name: string, port: number) => [
    `listen ${name}`,
    `  bind 127.0.0.1:${port}`,
    `  option httpchk OPTIONS /${name}`,
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ];
  const config = [
    'global',
    '  maxconn 500',
    'defaults',
    '  mode tcp',
    '  retries 0',
    '  timeout connect 2s',
    '  timeout check 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    ...listen('primary', ports.haproxyPort),
    ...listen('replica', ports.replicaPort),
    '',
  ];
  await writeFile(path.join(folder, 'haproxy.cfg'), config.join('\n'));
  start('haproxy', programs.haproxy, ['-db', '-f', path.join(folder, 'haproxy.cfg')]);
}

export async function startPgbouncer(
  start: Start,
  folder: string,
  programs: Programs,
  port: number,
  behind: number,
) {
  const config = `[databases]
* = host=127.0.0.1 port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${path.join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 5
`;
  await writeFile(path.join(folder, 'users.txt'), `"${databaseUser}" "${databasePassword}"\n`);
  await writeFile(path.join(folder, 'pgbouncer.ini'), config);
  start('pgbouncer', programs.pgbouncer, [path.join(folder, 'pgbouncer.ini')]);
}
