import { keepCompiledCode } from './compile-cache.ts';
import { endOnSignals } from './stop-signals.ts';

endOnSignals();
keepCompiledCode();
const { runServer } = await import('./run-server.ts');
await runServer();
