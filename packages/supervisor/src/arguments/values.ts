import { UsageError } from '@woods/protocol';
import type { Override } from '../environment/child-environment.ts';
import { isSupervisionVariable } from '../environment/supervision.ts';

/** Reads the value of one option, or throws UsageError saying what was expected and what was found. */
type Reader<T> = (text: string) => T;

/** Eleven days. A shell counts the guardian's grace in whole numbers, and larger ones would end it with an error. */
const MOST_SECONDS = 1_000_000;

/** Seconds as a positive decimal number, at most 1,000,000; the result is in milliseconds. */
export function seconds(option: string): Reader<number> {
  return (text) => {
    const value = /^\d*\.?\d+$|^\d+\.$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= MOST_SECONDS) return value * 1_000;
    throw new UsageError(
      `${option} takes a positive number of seconds up to ${MOST_SECONDS}, such as 2.5; found '${text}'`,
    );
  };
}

export function directory(option: string): Reader<string> {
  return (text) => {
    if (text !== '') return text;
    throw new UsageError(`${option} takes a directory; found an empty text (is a variable unset?)`);
  };
}

export function count(option: string, range: { min: number }): Reader<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.min) return value;
    throw new UsageError(`${option} takes a whole number, ${range.min} or more; found '${text}'`);
  };
}

export function choice<const T extends string>(option: string, choices: readonly T[]): Reader<T> {
  return (text) => {
    const found = choices.find((one) => one === text);
    if (found !== undefined) return found;
    throw new UsageError(`${option} takes ${choices.join(' or ')}; found '${text}'`);
  };
}

export const assignment: Reader<Override> = (text) => {
  const equals = text.indexOf('=');
  if (equals > 0) return { set: notOurs('--env', text.slice(0, equals)), value: text.slice(equals + 1) };
  throw new UsageError(`--env takes NAME=VALUE; found '${text}' (to remove a variable, use --unset NAME)`);
};

export const variableName: Reader<Override> = (text) => {
  if (text !== '' && !text.includes('=')) return { unset: notOurs('--unset', text) };
  throw new UsageError(`--unset takes the name of a variable; found '${text}'`);
};

/** By these we know the command's processes, and they us: changed, a tree could not be found and ended any more. */
function notOurs(option: string, name: string): string {
  if (!isSupervisionVariable(name)) return name;
  throw new UsageError(`${option} cannot change ${name}, by which woods-watch and the command know each other`);
}
