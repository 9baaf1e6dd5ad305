/** The URL that a host calls for a connection. */
export function webhookUrl(publicUrl: string, connectionId: string): string {
  return `${publicUrl.replace(/\/$/, '')}/hooks/${connectionId}`;
}
