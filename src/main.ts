import { keepCompiledCode } from './lib/own-files.ts';
import { endOnSignals } from './stop-signals.ts';

endOnSignals();
keepCompiledCode();
const { runServer } = await import('./run-server.ts');
await runServer();
