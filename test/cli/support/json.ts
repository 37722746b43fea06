/** What a JSON value is made of, so that a test can state the shape of an answer without its figures. */

export type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

/** Types in place of values; a list has the shape of each of its distinct entries. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) {
    const shapes = value.map(shapeOf);
    const distinct = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
    return [...distinct.values()];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  }
  return value === null ? 'null' : typeof value;
}

/** The one JSON object on stdout; throws when there is anything else. */
export function objectOn(stdout: string): Record<string, unknown> {
  const value: unknown = JSON.parse(stdout);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`no object: ${stdout}`);
  if (!stdout.endsWith('\n') || stdout.slice(0, -1).includes('\n')) throw new Error(`not one line: ${stdout}`);
  // The line above looked at it.
  return value as Record<string, unknown>;
}
