/** `npm run bench [name…]`: each bench prints its figures and the bar they are compared with. */
import { readdirSync } from 'node:fs';
import { cpus, release } from 'node:os';

const here = new URL('.', import.meta.url);
const all = readdirSync(here)
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .map((name) => name.slice(0, -'.mjs'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no bench named ${unknown.join(', ')}; there are: ${all.join(', ')}\n`);
  process.exit(2);
}

process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}, kernel ${release()}\n`);
for (const name of wanted.length > 0 ? wanted : all) {
  process.stdout.write(`${name}\n`);
  const { run } = await import(new URL(`${name}.mjs`, here).href);
  await run();
}
