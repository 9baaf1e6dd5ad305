import { runServer } from './run-server.ts';
import { endOnSignals } from './stop-signals.ts';

endOnSignals();
await runServer();
