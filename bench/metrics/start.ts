import { median } from './load.ts';
import { startServer } from './server-process.ts';

/**
 * Measures starts: seconds until the server is ready, for the first start and as the median of later ones, and its memory
 * then.
 */
export async function measureStart(dataDirectory: string, samples: number) {
  const start = () => startServer({ POSTIL_DATA_DIR: dataDirectory });
  const first = await start();
  await first.stop();
  const warm: number[] = [];
  const megabytes: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const server = await start();
    warm.push(server.startedInMs / 1000);
    megabytes.push(await server.residentMegabytes());
    await server.stop();
  }
  return { first: first.startedInMs / 1000, warm: median(warm), megabytes: median(megabytes) };
}
