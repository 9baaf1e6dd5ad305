import { isForDevelopers, isTest } from '../../change/file-kinds.ts';
import { astGrepRules } from '../ast-grep/ast-grep.ts';
import type { RuleSource } from '../rule-source.ts';
import { patternRules } from './pattern-rules.ts';

const bySyntax = astGrepRules(patternRules, 'patterns');

/** Values that become part of commands, queries, pages or code. */
export const patterns: RuleSource = {
  ...bySyntax,
  covers: (path) =>
    bySyntax.covers(path) && !isTest(path) && !isForDevelopers(path) && !/\.min\.[cm]?js$/.test(path),
};
