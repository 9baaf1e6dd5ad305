import type { Need } from '../tables/model.ts';
import type { Label, Value } from './value.ts';

const sql =
  /^[\s\0(]*(?:select|insert|update|delete|replace|merge|with|create|alter|drop|call|exec|truncate|grant|set|pragma)\b|\b(?:where|from|into|values|order by|group by|limit|join)\s/i;

/** Whether a value is as it must be to be dangerous; needs that only the call can tell are asked there. */
export function hasUnsafeNeeds(needs: readonly Need[], value: Value, label: Label): boolean {
  return needs.every((need) => {
    switch (need) {
      case 'sql':
        return (
          sql.test(value.shape) ||
          (label.origin === 'request' && !label.isComposed && label.parameter === null)
        );
      case 'html':
        return /<[a-z!/]/i.test(value.shape);
      case 'start':
        return label.isStart;
      case 'composed':
        return label.isComposed;
      case 'whole':
        return !label.isComposed;
      default:
        return true;
    }
  });
}
