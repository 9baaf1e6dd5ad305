import { limits } from '../../review-report.ts';
import type { ChangeRuleSource } from '../../rule-source.ts';
import { kindOf } from './dependency-file-kinds.ts';
import { findMoved, findScripts, findUnchecked, findUnpinned } from './find-suspects.ts';
import { findUnlicensed } from './find-unlicensed.ts';
import { findLookAlikes } from './look-alikes.ts';
import { findOutOfStep } from './out-of-step.ts';
import { DependencyTree, readPairs } from './read-files.ts';
import { findVersionChanges } from './version-changes.ts';

/** Rules for third-party packages: compares the manifests and lock files of both versions. */
export const dependencies: ChangeRuleSource = {
  name: 'dependencies',
  covers: (path) => kindOf(path) !== undefined,
  async compare(sides, reviews, signal) {
    const { pairs, unread, notes } = await readPairs(sides, signal);
    const [base, head] = [new DependencyTree(sides.base), new DependencyTree(sides.head)];
    const changes = await findVersionChanges(pairs, head);
    const unlicensed = findUnlicensed(changes, reviews.dependencies.licences);
    const findings = [
      ...pairs.flatMap((pair) => [...findMoved(pair), ...findUnchecked(pair), ...findScripts(pair)]),
      ...pairs.flatMap((pair) => findUnpinned(pair, sides.owner)),
      ...unlicensed.findings,
      ...(await findOutOfStep(pairs, base, head)),
    ];
    for (const pair of pairs) findings.push(...(await findLookAlikes(pair, head)));
    const listed = changes.slice(0, limits.dependencies);
    return {
      findings,
      unread,
      notes: [...notes, ...unlicensed.notes],
      brought: changes.flatMap(({ ecosystem, name, to, path, line }) =>
        to === null ? [] : [{ ecosystem, name, version: to, path, line }],
      ),
      report: {
        dependencies: listed.map(({ path: _path, line: _line, ...change }) => ({
          ...change,
          vulnerabilities: [],
        })),
        total_dependencies: changes.length,
      },
    };
  },
};
