import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { declareSdkGuarantees } from './sdk-guarantees.ts';

// Not part of `npm test`: installs the SDK with its dependencies from a registry.
await declareSdkGuarantees(async (file, folder) => {
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', file], { cwd: folder });
});
