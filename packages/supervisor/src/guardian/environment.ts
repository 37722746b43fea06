/**
 * The guardian's environment: ours, without the tokens of an outer supervisor (whose sweep would take the guardian for
 * a runaway of its own tree before it has done its work) and without what makes a shell or Node run other code.
 */
export function guardianEnvironment(inherited: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || name.startsWith('WOODS_WATCH_') || name.startsWith('BASH_')) continue;
    if (name === 'ENV' || name === 'LC_ALL' || name === 'NODE_OPTIONS') continue;
    kept[name] = value;
  }
  // `sleep` must be found whatever PATH is, and bytes of foreign environments are no text in any locale
  return { ...kept, PATH: `${kept.PATH ?? ''}:/usr/bin:/bin`, LC_ALL: 'C' };
}
