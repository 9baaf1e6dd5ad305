import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { type Advisory, readAdvisory } from './advisory.ts';
import { cvssScore } from './cvss.ts';
import { fixedIn, isAffected } from './is-affected.ts';
import { work as lookUp } from './osv-folder-part.ts';

const osv = (id: string, name: string, more: object = {}) => ({
  id,
  summary: 'Bad.',
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.3' }] }],
    },
  ],
  ...more,
});
const read = (document: object) => readAdvisory(JSON.stringify(document)) as Advisory;

test('the severity is that of the database, otherwise that of the score', () => {
  const severityOf = (more: object) => read(osv('GHSA-1', 'a', more)).severity;
  const vector = (score: string) => ({ severity: [{ type: 'CVSS_V3', score }] });
  assert.equal(severityOf({ database_specific: { severity: 'MODERATE' }, ...vector('9.8') }), 'minor');
  assert.equal(severityOf({ database_specific: { severity: 'CRITICAL' } }), 'critical');
  assert.equal(severityOf(vector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')), 'critical');
  assert.equal(severityOf(vector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H')), 'major');
  assert.equal(severityOf(vector('CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N')), 'minor');
  const newer = { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' };
  assert.equal(severityOf({ severity: [newer] }), 'critical');
  assert.equal(severityOf({ severity: [{ type: 'CVSS_V5', score: 'CVSS:5.0/AV:N' }] }), 'minor');
  assert.equal(severityOf({ severity: [newer, { type: 'CVSS_V3', score: '7.5' }] }), 'critical');
  assert.equal(severityOf({}), 'trivial');
  const scores: [string, number | undefined][] = [
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:H/I:N/A:N', 4.7],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    [newer.score, 9.3],
    [`${newer.score}/E:U`, 9.3],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
    ['CVSS:4.0/AV:N', undefined],
    [`${newer.score}${'/AV:N'.repeat(100)}`, undefined],
    ['7.5', 7.5],
  ];
  for (const [text, score] of scores) assert.equal(cvssScore(text), score, text);
});

test('a version is affected from where a fault was introduced until it is fixed, by the rules of its ecosystem', () => {
  const of = (ecosystem: string, events: object[], versions: string[] = []) =>
    read({
      id: 'X-1',
      affected: [{ package: { ecosystem, name: 'a' }, ranges: [{ type: 'ECOSYSTEM', events }], versions }],
    }).affected[0]!;
  const npm = of('npm', [
    { introduced: '2.0.0' },
    { fixed: '2.1.0' },
    { introduced: '0' },
    { fixed: '1.2.3' },
  ]);
  for (const [version, expected] of [
    ['1.2.2', true],
    ['1.2.3', false],
    ['1.9.0', false],
    ['2.0.5', true],
    ['2.1.0', false],
    ['2.1.0-rc.1', true],
    ['main', false],
    ['', false],
  ] as const)
    assert.equal(isAffected(version, npm), expected, version);
  assert.equal(fixedIn('2.0.5', npm), '2.1.0');
  const last = of('PyPI', [{ introduced: '1.0' }, { last_affected: '1.5' }], ['0.9']);
  for (const [version, expected] of [
    ['0.9', true],
    ['0.8', false],
    ['1.5.0', true],
    ['1.5.post1', false],
  ] as const)
    assert.equal(isAffected(version, last), expected, version);
  assert.equal(isAffected('v1.0.0', of('Go', [{ introduced: '0' }, { fixed: '1.0.1' }])), true);
  assert.equal(isAffected('2.0-rc1', of('Maven', [{ introduced: '0' }, { fixed: '2.0' }])), true);
});

/** A zip archive with these entries; `claimed` is the uncompressed size that each entry claims. */
function zip(entries: Record<string, string>, claimed?: number): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const [bytes, data] = [Buffer.from(name), deflateRawSync(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(text), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claimed ?? Buffer.byteLength(text), 18);
    common.writeUInt16LE(bytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, bytes]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

test('folders with documents and archives are searched; zip bombs and broken archives are rejected, and the others are used', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-osv-'));
  after(() => rm(folder, { recursive: true }));
  const find = () => lookUp({ folders: [folder], packages: [{ ecosystem: 'npm', name: 'left-pad' }] });
  assert.equal(await find(), null, 'no data');
  await mkdir(path.join(folder, 'npm'));
  const withdrawn = osv('GHSA-3', 'left-pad', { withdrawn: '2024-01-01T00:00:00Z' });
  const texts = {
    'GHSA-1.json': osv('GHSA-1', 'left-pad'),
    'GHSA-2.json': osv('GHSA-2', 'other'),
    'GHSA-3.json': withdrawn,
  };
  const entries = Object.fromEntries(
    Object.entries(texts).map(([name, each]) => [name, JSON.stringify(each)]),
  );
  await writeFile(
    path.join(folder, 'npm', 'all.zip'),
    zip({ ...entries, 'broken.json': '{"name": "left-pad"' }),
  );
  await writeFile(path.join(folder, 'GHSA-4.json'), JSON.stringify(osv('GHSA-4', 'left-pad')));
  const found = await find();
  assert.deepEqual(found!.advisories.map(({ id }) => id).sort(), ['GHSA-1', 'GHSA-4']);
  await writeFile(path.join(folder, 'bomb.zip'), zip({ 'a.json': ' '.repeat(9_000_000) }));
  await writeFile(path.join(folder, 'liar.zip'), zip({ 'a.json': ' '.repeat(1_000_000) }, 100));
  await writeFile(path.join(folder, 'none.zip'), 'text');
  const damaged = zip({ 'a.json': JSON.stringify(osv('GHSA-5', 'left-pad')) });
  damaged[50]! ^= 1;
  await writeFile(path.join(folder, 'damaged.zip'), damaged);
  const cut = zip({ 'a.json': JSON.stringify(osv('GHSA-6', 'left-pad')) });
  await writeFile(path.join(folder, 'cut.zip'), cut.subarray(0, cut.length - 10));
  const again = await find();
  assert.deepEqual(again!.advisories.map(({ id }) => id).sort(), ['GHSA-1', 'GHSA-4']);
  assert.equal(again!.notes.length, 5);
  assert.match(again!.notes[0]!, /bomb\.zip is too large when it is unpacked/);
  assert.match(again!.notes.join(), /damaged\.zip: a\.json is damaged/);
});
