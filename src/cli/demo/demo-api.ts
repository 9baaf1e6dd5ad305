import { CommandError } from '../command-error.ts';

/** Calls the demo's API with a key and returns the body of the answer. */
export type DemoApi = <Body>(method: string, path: string, body?: object) => Promise<Body>;

/** Opens the API of the demo's server; what it refuses ends the command. */
export function openDemoApi(url: string, key: string): DemoApi {
  return async <Body>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new CommandError(`The demo's ${method} ${path} failed: ${await response.text()}`);
    return response.json() as Promise<Body>;
  };
}
