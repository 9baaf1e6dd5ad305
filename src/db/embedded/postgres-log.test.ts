import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { EmbeddedFolders, postmasterPid } from '../../../test/embedded-folder.ts';
import { describeSlowStart } from './postgres-log.ts';

const folders = new EmbeddedFolders();
before(() => folders.open());
after(() => folders.close());

test('a slow start is called a repair only after a crash', async () => {
  const directory = await folders.existing();
  const log = path.join(directory, 'postgres.log');
  const logEnd = async () => (await stat(log)).size;

  const afterStop = await logEnd();
  assert.match(await describeSlowStart(log, afterStop), /still starting/, 'nothing logged yet');
  const postgres = await folders.start(directory);
  assert.match(await describeSlowStart(log, afterStop), /still starting/);

  process.kill(await postmasterPid(directory), 'SIGKILL');
  await postgres.exited;
  await postgres.stop();
  const afterCrash = await logEnd();
  await folders.start(directory);
  assert.match(await describeSlowStart(log, afterCrash), /repairing its files after a crash/);
});
