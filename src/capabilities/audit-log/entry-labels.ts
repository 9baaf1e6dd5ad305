const abbreviations = new Map([
  ['api', 'API'],
  ['mcp', 'MCP'],
  ['scim', 'SCIM'],
  ['sso', 'SSO'],
]);

/** Turns an action or resource type into a readable label: `api_key.created` becomes "API key created". */
export function labelOf(name: string): string {
  const words = name.split(/[._]/).map((word) => abbreviations.get(word) ?? word);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
