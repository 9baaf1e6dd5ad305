import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { BlockReader } from './block-reader.ts';

/** Limits above everything that publishers of advisories write. An archive that claims more is rejected as a whole. */
const maxEntryBytes = 8 * 1024 * 1024;
const maxArchiveBytes = 8 * 1024 ** 3;
const maxEntries = 2_000_000;

/** An archive or file is invalid; the message, for people, says why. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

/** The JSON documents and zip archives in a folder and its subfolders; or the file itself, if the place is one. */
export async function listOsvFiles(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place];
  const held: Dirent[] = await readdir(place, { withFileTypes: true, recursive: true });
  return held
    .filter((entry) => entry.isFile() && /\.(?:json|zip)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Yields the texts of a file or archive one by one; nothing is written to disk. */
export async function* readOsvTexts(
  file: string,
  onEntry?: (done: number, total: number) => void,
): AsyncIterable<string> {
  if (!/\.zip$/i.test(file)) {
    if ((await stat(file)).size > maxEntryBytes) throw new BadArchive(`${file} is too large for an advisory`);
    yield await readFile(file, 'utf8');
    return;
  }
  try {
    await refuseBomb(file);
    const { reader, archive } = await openArchive(file);
    try {
      let done = 0;
      for await (const entry of archive.eachEntry()) {
        done += 1;
        if (!isDocument(entry)) continue;
        yield await unpack(archive, reader, entry);
        onEntry?.(done, archive.entryCount);
      }
    } finally {
      archive.close();
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive(`${file}: ${(error as Error).message}`);
  }
}

const isDocument = ({ fileName }: Entry) => /\.json$/i.test(fileName);

async function openArchive(file: string) {
  const { size } = await stat(file);
  const reader = new BlockReader(file);
  try {
    return { reader, archive: await fromRandomAccessReaderPromise(reader, size, { lazyEntries: true }) };
  } catch (error) {
    reader.close(() => {});
    throw new BadArchive(`${file} is not a zip archive: ${(error as Error).message}`);
  }
}

/** Checks the list of entries first, so that no entry of a rejected archive is used. */
async function refuseBomb(file: string): Promise<void> {
  const { archive } = await openArchive(file);
  try {
    if (archive.entryCount > maxEntries) throw new BadArchive(`${file} has more than ${maxEntries} entries`);
    let bytes = 0;
    for await (const entry of archive.eachEntry()) {
      if (!isDocument(entry)) continue;
      bytes += entry.uncompressedSize;
      if (Math.max(entry.compressedSize, entry.uncompressedSize) > maxEntryBytes || bytes > maxArchiveBytes)
        throw new BadArchive(`${file} is too large when it is unpacked`);
    }
  } finally {
    archive.close();
  }
}

/** Unpacks an entry at once: streams take several times as long for many small entries. */
async function unpack(archive: ZipFile, reader: BlockReader, entry: Entry): Promise<string> {
  if (!entry.canDecodeFileData()) throw new Error(`${entry.fileName} is packed with an unsupported method`);
  const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafe(entry.compressedSize);
  if (reader.copy(packed, fileDataStart) < packed.length)
    throw new Error(`it ends in the middle of ${entry.fileName}`);
  const plain = entry.compressionMethod === 0 ? packed : inflate(packed, entry.uncompressedSize);
  if (plain?.length !== entry.uncompressedSize || crc32(plain) !== entry.crc32)
    throw new Error(`${entry.fileName} is damaged`);
  return plain.toString('utf8');
}

function inflate(packed: Buffer, claimed: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(claimed, 1) });
  } catch {
    return undefined;
  }
}
