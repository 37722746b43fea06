import { UsageError } from '@woods/protocol';
import type { Override } from '../environment/child-environment.ts';

/** Reads the value of one option, or throws UsageError saying what was expected and what was found. */
type Reader<T> = (text: string) => T;

/** Seconds as a positive, finite decimal number; the result is in milliseconds. */
export function seconds(option: string): Reader<number> {
  return (text) => {
    const value = /^\d*\.?\d+$|^\d+\.$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value) && value > 0) return value * 1_000;
    throw new UsageError(`${option} takes a positive number of seconds, such as 2.5; found '${text}'`);
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
  if (equals > 0) return { set: text.slice(0, equals), value: text.slice(equals + 1) };
  throw new UsageError(`--env takes NAME=VALUE; found '${text}' (to remove a variable, use --unset NAME)`);
};

export const variableName: Reader<Override> = (text) => {
  if (text !== '' && !text.includes('=')) return { unset: text };
  throw new UsageError(`--unset takes the name of a variable; found '${text}'`);
};
