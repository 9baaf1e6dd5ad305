import type { Language } from '../language.ts';
import { readGo } from './read-go.ts';
import { GoResolver } from './resolve-import.ts';

export const go: Language = {
  name: 'go',
  covers: (path) => path.endsWith('.go'),
  pathspecs: ['*.go'],
  isGlobal: () => false,
  hasAmbientNames: false,
  isStrict: () => true,
  readFacts: readGo,
  openResolver: (tree) => new GoResolver(tree),
};
