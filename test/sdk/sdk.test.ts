import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { sdkFolder, unpackBesideLinks } from './packed-sdk.ts';
import { declareSdkGuarantees } from './sdk-guarantees.ts';

await declareSdkGuarantees(unpackBesideLinks);

test('the types of the SDK are up to date with openapi.json (npm run generate)', async () => {
  const description = await readFile(path.join(sdkFolder, '../../openapi.json'));
  const types = await readFile(path.join(sdkFolder, 'src/schema.ts'), 'utf8');
  const [, hash] = /^\/\/ Generated .* sha256 (\w+)\n/.exec(types) ?? [];
  assert.equal(hash, createHash('sha256').update(description).digest('hex'));
});
