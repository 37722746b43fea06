/** The descriptor on which a child reports when it inherits it: the first after standard input, output and error. */
export const EVENT_FD = 3;
