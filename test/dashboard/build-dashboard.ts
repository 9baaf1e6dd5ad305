import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { isDashboardBuilt } from '../../src/dashboard-build.ts';

const program = path.join(import.meta.dirname, '../../dashboard/build.ts');

/** Builds the dashboard if its sources have changed. */
export async function buildDashboard(): Promise<void> {
  if (await isDashboardBuilt()) return;
  await promisify(execFile)(process.execPath, [program]);
}
