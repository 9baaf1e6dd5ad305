import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type PreparedContent, prepareContent } from '../reply/prepared-content.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A folder whose files are read and compressed on first use, and again when they change. */
export interface StaticFolder {
  find(name: string): Promise<PreparedContent | undefined>;
}

/** Serves the files of a folder, which need not exist yet. Paths outside of it are not found. */
export function openStaticFolder(folder: string): StaticFolder {
  const root = path.resolve(folder);
  const known = new Map<string, { readonly version: string; readonly content: Promise<PreparedContent> }>();

  async function load(file: string): Promise<PreparedContent> {
    return prepareContent(types[path.extname(file)] ?? 'application/octet-stream', await readFile(file));
  }

  return {
    async find(name) {
      const file = path.join(root, name);
      if (!file.startsWith(root + path.sep)) return undefined;
      const found = await stat(file).catch(() => undefined);
      if (found === undefined || !found.isFile()) return undefined;
      const version = `${found.mtimeMs}/${found.size}`;
      const current = known.get(file);
      if (current?.version === version) return current.content;
      const content = load(file);
      known.set(file, { version, content });
      content.catch(() => known.delete(file));
      return content;
    },
  };
}
