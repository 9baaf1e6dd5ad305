import { keepCompiledCode } from './lib/own-files.ts';
import { endOnSignals } from './stop-signals.ts';

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  process.stderr.write(
    `Unknown argument ${argument}: the server takes none. It is configured by environment variables, such as POSTIL_PORT for its port (docs/operating.md)\n`,
  );
  process.exit(2);
}
endOnSignals();
keepCompiledCode();
const { runServer } = await import('./run-server.ts');
await runServer();
