import { parentPort, workerData } from 'node:worker_threads';
import type { AstGrepRule } from './read-rules.ts';
import { matcherFor } from './syntax-rules.ts';

function faultOf(rule: AstGrepRule): string | null {
  try {
    matcherFor('')(rule);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

parentPort!.postMessage((workerData as AstGrepRule[]).map(faultOf));
