import type { KeyAccess } from '../../access/access-rule.ts';
import type { KeyKind } from '../../access/api-key-value.ts';

export type SelectionField = 'org_id' | 'organization_ids';
/** What a field does; `ignored` is accepted with any text. */
export type SelectionUse = 'required' | 'optional' | 'ignored';
/** The fields that may be sent. */
export type SelectionFields = Readonly<Partial<Record<SelectionField, SelectionUse>>>;

/** Which of `org_id` and `organization_ids` a kind of key may send in the query or in the body of an endpoint. */
export function selectionFields(
  kind: KeyKind,
  access: KeyAccess,
  method: string,
  place: 'query' | 'body',
): SelectionFields {
  const takesBody = method === 'POST' || method === 'PATCH';
  // Only in the query of a PUT: its body may be a list, which has no place for a selection.
  const isRightPart = method === 'PUT' || (place === 'body') === takesBody;
  if (kind === 'workspace') {
    if (isRightPart && access.workspace === 'one') return { org_id: 'required' };
    return isRightPart && access.workspace === 'all_or_one' ? { org_id: 'optional' } : {};
  }
  if (kind === 'instance') {
    if (access.instance === 'home_one_or_every') return isRightPart ? { org_id: 'optional' } : {};
    if (access.instance === 'all_or_selected' && isRightPart)
      return { org_id: 'ignored', organization_ids: 'optional' };
  }
  return { org_id: 'ignored' };
}
