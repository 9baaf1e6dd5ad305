import { isForDevelopers, isTest } from '../../change/file-kinds.ts';
import type { RuleSource } from '../../rule-source.ts';
import { astGrepRules } from '../ast-grep/ast-grep.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { patternRules } from './pattern-rules.ts';
import { findInTree, hasTreeRules } from './trees/tree-rules.ts';

const bySyntax = astGrepRules(patternRules, 'patterns');

const byTree = findOneByOne(findInTree);

/** Values that become part of commands, queries, pages or code. */
export const patterns: RuleSource = {
  ...bySyntax,
  async find(files, signal) {
    const found = await bySyntax.find(files, signal);
    const others = files.filter(({ path }) => hasTreeRules(path));
    if (others.length === 0) return found;
    const inTrees = await byTree(others, signal);
    return files.map((file, index) => inTrees[others.indexOf(file)] ?? found[index]!);
  },
  covers: (path) =>
    (bySyntax.covers(path) || hasTreeRules(path)) &&
    !isTest(path) &&
    !isForDevelopers(path) &&
    !/\.min\.[cm]?js$/.test(path),
};
