import { type RunningServer, startServer } from '../../server.ts';
import type { Settings } from '../../settings.ts';
import type { OperatorClient } from '../operator-client.ts';
import { DemoHost, OnlyHost } from './demo-host.ts';
import { fillDemo, repositoriesOf } from './fill-demo.ts';
import { serveGit } from './serve-git.ts';

export interface RunningDemo {
  readonly server: RunningServer;
  /** Fills the server with the demo's data, unless it is filled already. */
  fill(client: OperatorClient): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server whose only host is the demo's own. */
export async function startDemo(settings: Settings): Promise<RunningDemo> {
  const git = await serveGit(repositoriesOf(settings.dataDirectory), settings.searchPath);
  const host = new DemoHost(git.url);
  try {
    const server = await startServer(settings, undefined, { openHosts: new OnlyHost(host) });
    return {
      server,
      fill: (client) => fillDemo({ settings, server, client, host }),
      async stop() {
        await server.stop();
        await git.stop();
      },
    };
  } catch (error) {
    await git.stop();
    throw error;
  }
}
