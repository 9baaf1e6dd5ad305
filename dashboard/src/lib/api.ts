/** The scope of a request: one organization, or a whole workspace. */
export interface Scope {
  readonly kind: 'organization' | 'workspace';
  readonly id: string;
}

export type Query = Readonly<Record<string, string | readonly string[] | number | undefined>>;

/** The server rejected a request; the message is the server's. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** The URL of an endpoint, for a request or a download. */
export function apiUrl(path: string, scope?: Scope, query: Query = {}): string {
  const parameters = new URLSearchParams();
  if (scope !== undefined) parameters.set('scope', `${scope.kind}:${scope.id}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') parameters.append(name, String(one));
  }
  const search = parameters.toString();
  return `/dashboard/v1/${path}${search === '' ? '' : `?${search}`}`;
}

async function failureOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code: string; message: string }; errors?: { code: string; message: string }[] }
    | undefined;
  const first = body?.error ?? body?.errors?.[0];
  const all = body?.errors?.map(({ message }) => message).join('; ');
  return new ApiError(
    response.status,
    first?.code ?? 'UNREACHABLE',
    all ?? first?.message ?? 'The server sent an unexpected response',
  );
}

interface Request {
  readonly scope?: Scope | undefined;
  readonly query?: Query;
  readonly body?: unknown;
}

/** Calls the server; throws an ApiError if it rejects the request or cannot be reached. */
export async function api<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { scope, query, body }: Request = {},
): Promise<Answer> {
  const response = await fetch(apiUrl(path, scope, query), {
    method,
    headers: {
      'x-postil-dashboard': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, 'UNREACHABLE', 'The server cannot be reached. Check the connection and try again.');
  });
  if (!response.ok) throw await failureOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}
