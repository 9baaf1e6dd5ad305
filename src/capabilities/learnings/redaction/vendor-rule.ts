import { endOfValue } from './read-assignment.ts';
import type { Rule } from './rule.ts';
import { isHarmlessName, kindOfName } from './secret-names.ts';
import { isFiller, isIdentifierOrDigest } from './value-shape.ts';

/**
 * Makes the rule of a vendor whose tokens have no prefix of their own: a name that holds the vendor's name is
 * given a value of exactly this shape. `shape` is the source of an expression for the whole value, in either case.
 */
export function vendor(id: string, names: string | readonly string[], shape: string): Rule {
  const pattern = new RegExp(`^(?:${shape})$`, 'i');
  return {
    id,
    keywords: typeof names === 'string' ? [names] : names,
    find(scan, start, end) {
      const assignment = scan.assignmentAt(start, end);
      if (assignment === undefined || !pattern.test(assignment.value)) return;
      const { name, value } = assignment;
      if (!/[0-9]/.test(value) || isFiller(value) || isHarmlessName(name)) return;
      // A digest or a UUID beside a vendor's name may be a commit or a record: the name must promise a secret.
      if (isIdentifierOrDigest(value) && kindOfName(name) === undefined) return;
      scan.report(assignment.valueStart, endOfValue(scan.text, assignment));
    },
  };
}
