/** A line that counts the seconds of a first run, on a terminal only. Returns how to end it. */
export function countSeconds(stream: NodeJS.WriteStream, what: string): () => void {
  if (!stream.isTTY) return () => {};
  const began = performance.now();
  const timer = setInterval(() => {
    stream.write(`\r[woods] ${what}: ${Math.round((performance.now() - began) / 1000)} s`);
  }, 1000);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (performance.now() - began >= 1000) stream.write('\r\u001b[K');
  };
}
