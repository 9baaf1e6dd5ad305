interface ErrorBody {
  readonly code: string;
  readonly message: string;
}

function errorsIn(body: unknown): ErrorBody[] {
  if (typeof body !== 'object' || body === null) return [];
  const { error, errors } = body as { error?: ErrorBody; errors?: ErrorBody[] };
  return errors ?? (error === undefined ? [] : [error]);
}

/** What the server answered instead of a result. */
export class PostilError extends Error {
  override readonly name = 'PostilError';
  readonly status: number;
  /** Such as `RATE_LIMITED`; undefined if the answer came from something in between, such as a proxy. */
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

/** The result of a call, or a `PostilError`: `unwrap(await client.GET('/v1/me'))`. */
export function unwrap<Data>(result: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): Data {
  if (!result.response.ok) throw new PostilError(result.response, result.error);
  return result.data as Data;
}
