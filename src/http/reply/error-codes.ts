import type { ErrorCode } from '../../lib/app-error.ts';
import type { Endpoint, KeyEndpoint } from '../endpoint.ts';

const keyErrors: ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'KEY_TYPE_FORBIDDEN',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const operatorErrors: ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const sourceErrors: ErrorCode[] = [...operatorErrors, 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'];

function commonErrors({ audience }: Endpoint): ErrorCode[] {
  if (audience === 'key') return keyErrors;
  return audience === 'source' ? sourceErrors : operatorErrors;
}

/** All error codes that an endpoint may return: its own, and those of the checks that run before its verb. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  if (endpoint.audience === 'public' || endpoint.audience === 'signed') return [...(endpoint.errors ?? [])];
  const codes = new Set<ErrorCode>(commonErrors(endpoint));
  if (endpoint.body !== undefined || endpoint.streams !== undefined)
    codes.add('REQUEST_TIMEOUT').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (endpoint.audience === 'key') addAccessErrors(endpoint, codes);
  for (const code of endpoint.errors ?? []) codes.add(code);
  return [...codes];
}

function addAccessErrors({ access, requires, sources }: KeyEndpoint, codes: Set<ErrorCode>): void {
  if (sources !== undefined) codes.add('FORBIDDEN');
  if (access.workspace !== 'forbidden') codes.add('WORKSPACE_ADMIN_REQUIRED');
  if (access.workspace === 'one') codes.add('ORG_ID_REQUIRED');
  if (access.workspace === 'one' || access.workspace === 'all_or_one') codes.add('ORGANIZATION_NOT_FOUND');
  if (access.instance === 'all_or_selected' || access.instance === 'home_one_or_every') {
    codes.add('ORGANIZATION_NOT_FOUND').add('ORGANIZATION_FORBIDDEN');
  }
  if (access.instance.startsWith('home')) codes.add('ORG_ID_REQUIRED');
  if (access.legacy.startsWith('gone')) codes.add('LEGACY_API_KEY');
  if (requires.plan !== 'any') codes.add('ENTERPRISE_REQUIRED');
  if (requires.plan === 'self_hosted_enterprise') codes.add('NO_ACTIVE_SUBSCRIPTION').add('SELF_HOSTED_ONLY');
  if (requires.right !== 'none') codes.add(requires.right === 'admin' ? 'NOT_ADMIN' : 'PERMISSION_DENIED');
}
