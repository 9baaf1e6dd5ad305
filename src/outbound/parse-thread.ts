import { parentPort, workerData } from 'node:worker_threads';

// Parses one answer in a thread, so that it does not block the requests that the process serves.
parentPort!.postMessage(JSON.parse(Buffer.from(workerData as Uint8Array).toString()));
