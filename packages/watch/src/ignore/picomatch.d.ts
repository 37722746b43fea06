/** The part of picomatch that is used here; the package brings no types. */
declare module 'picomatch' {
  interface Picomatch {
    (glob: string, options: { dot: boolean }): (path: string) => boolean;
    /** `base` is the leading part of the glob without wildcards. */
    scan(glob: string): { base: string; negated: boolean };
  }
  const picomatch: Picomatch;
  export = picomatch;
}
