interface ErrorBody {
  readonly code: string;
  readonly message: string;
}

interface ScimErrorBody {
  readonly detail?: string;
  readonly 'urn:postil:params:scim:api:messages:1.0:Error'?: { readonly code: string };
}

function errorsIn(body: unknown): ErrorBody[] {
  if (typeof body !== 'object' || body === null) return [];
  const scim = body as ScimErrorBody;
  const code = scim['urn:postil:params:scim:api:messages:1.0:Error']?.code;
  if (code !== undefined) return [{ code, message: scim.detail ?? '' }];
  const { error, errors } = body as { error?: ErrorBody; errors?: ErrorBody[] };
  return errors ?? (error === undefined ? [] : [error]);
}

/** An error response of the server. */
export class PostilError extends Error {
  override readonly name = 'PostilError';
  readonly status: number;
  /** The error code, such as `RATE_LIMITED`; undefined if the response has none, for example because it is from a proxy. */
  readonly code: string | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;

  constructor(response: Response, body: unknown) {
    const errors = errorsIn(body);
    super(errors.map(({ message }) => message).join('; ') || `The server answered ${response.status}`);
    this.status = response.status;
    this.code = errors[0]?.code;
    this.requestId = response.headers.get('x-request-id');
  }
}

/** Returns the data of a call, or throws a `PostilError`: `unwrap(await client.GET('/v1/me'))`. */
export function unwrap<Data>(result: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): Data {
  if (!result.response.ok) throw new PostilError(result.response, result.error);
  return result.data as Data;
}
