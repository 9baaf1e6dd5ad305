import { humanize } from '../../lib/format.ts';

const builtInRoles: Record<string, string> = {
  cr_admin: 'Admin',
  cr_member: 'Member',
  cr_billing_admin: 'Billing Admin',
};

type Names = Readonly<Record<string, string>>;

const fieldName = (field: string) => humanize(field.replace(/_id$/, ''));

/** A value of the metadata for people: names instead of ids, lists as lists. */
function describeValue(value: unknown, names: Names): string {
  if (Array.isArray(value)) return value.map((one) => describeValue(one, names)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return names[text] ?? builtInRoles[text] ?? text;
}

/** The details of an entry for people. The changed fields of a new resource are left out. */
export function describeMetadata(
  { action, metadata }: { action: string; metadata: Readonly<Record<string, unknown>> },
  names: Names,
): readonly { name: string; value: string }[] {
  return Object.entries(metadata)
    .filter(([name]) => name !== 'changed' || !action.endsWith('.created'))
    .map(([name, value]) => ({
      name: fieldName(name),
      value:
        name === 'changed' && Array.isArray(value)
          ? value.map((field) => fieldName(String(field)).toLowerCase()).join(', ')
          : describeValue(value, names),
    }));
}
