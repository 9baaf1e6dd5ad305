import path from 'node:path';
import type { Language } from '../language.ts';
import { readGo } from './read-go.ts';
import { GoResolver } from './resolve-import.ts';

export const go: Language = {
  name: 'go',
  // The go tool ignores these folders.
  covers: (name) => name.endsWith('.go') && !/(?:^|\/)(?:testdata|_[^/]*|\.[^/]+)\//.test(name),
  addressOf: path.posix.dirname,
  pathspecs: ['*.go'],
  isGlobal: () => false,
  hasAmbientNames: false,
  isStrict: () => true,
  reexports: () => false,
  readFacts: readGo,
  packagesNamed: (path, line) =>
    /(?:^|\/)go\.mod$/.test(path) ? (/([\w.-]+\.[\w-]+\/\S+)\s+v\d/.exec(line)?.slice(1) ?? []) : [],
  openResolver: (tree) => new GoResolver(tree),
};
