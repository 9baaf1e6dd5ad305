/** The part of autocannon that is used here; the package has no types. */
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers: Record<string, string>;
  }): Promise<{
    requests: { average: number };
    throughput: { average: number };
    non2xx: number;
    errors: number;
  }>;
}
