import { ApiError, apiUrl, type Query, type Scope } from '../../lib/api.ts';

/** Downloads every Learning that matches the filters as one CSV file, however many pages it takes. */
export async function downloadLearnings(scope: Scope, filters: Query): Promise<void> {
  const parts: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const response = await fetch(apiUrl('learnings', scope, { ...filters, format: 'csv', cursor }));
    if (!response.ok) throw new ApiError(response.status, 'EXPORT_FAILED', 'The export failed. Try again.');
    const text = await response.text();
    parts.push(parts.length === 0 ? text : text.slice(text.search(/\n/) + 1));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) break;
  }
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'learnings.csv';
  link.click();
  URL.revokeObjectURL(url);
}
