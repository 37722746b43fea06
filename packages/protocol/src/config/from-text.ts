/** How the text of a variable or flag becomes the value that the same key has in a file; null when it cannot. */
export type FromText = (text: string) => unknown;

export const asText: FromText = (text) => text;

export const asNumber: FromText = (text) => (/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(text.trim()) ? Number(text) : text);

export const asBoolean: FromText = (text) => {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['0', 'false', 'no', 'off'].includes(word) ? false : text;
};

/** The gem knows only `1`, which forces polling. */
export const asPoll: FromText = (text) => {
  const forced = asBoolean(text);
  if (forced === true) return 'always';
  return forced === false ? 'auto' : text.trim();
};
