import { InvalidArgumentError } from 'commander';

/** Reads an option's value as a whole number from `min` to `max`; anything else is a usage error that names both. */
export function wholeNumber(range: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= range.min && value <= range.max)) {
      throw new InvalidArgumentError(`Expected a whole number from ${range.min} to ${range.max}.`);
    }
    return value;
  };
}

/** Reads an option's value as seconds, finite and above zero; fractions are fine. */
export function seconds(text: string): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new InvalidArgumentError('Expected seconds above 0, such as 2 or 0.5.');
  return value;
}

/** Collects a repeatable option whose values may also be joined by commas: `--type class,function --type enum`. */
export function list(text: string, previous: readonly string[] | undefined): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.includes('')) throw new InvalidArgumentError('Expected names joined by commas.');
  return [...(previous ?? []), ...values];
}
