/** A terminal with a shell in it, as a person uses it: a tmux server of its own that only this test talks to. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Terminal {
  /** Types a line and presses Enter. */
  type(line: string): void;
  /** Presses a key, in tmux's names: `C-c`, `C-z`. */
  press(key: string): void;
  /** Closes the window, as a click on its cross does. */
  closePane(): void;
  /** What can be read on it now. */
  screen(): string;
  /** Ends the server and all that it runs. */
  close(): void;
}

export function openTerminal(place: { cwd: string; env: Readonly<Record<string, string | undefined>> }): Terminal {
  const directory = mkdtempSync(join(tmpdir(), 'woods-tmux-'));
  const env = { ...process.env, ...place.env, TMUX: '', PS1: '$ ', HISTFILE: '/dev/null' };
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', join(directory, 'socket'), '-f', '/dev/null', ...args], { encoding: 'utf8', env });
  // an interactive shell, so that there is job control; `cat` keeps the server when the shell's pane is closed
  tmux('new-session', '-d', '-s', 'keeper', '-c', place.cwd, 'cat');
  tmux('new-window', '-t', 'keeper', '-n', 'shell', '-c', place.cwd, 'bash --norc --noprofile -i');
  return {
    type: (line) => void tmux('send-keys', '-t', 'keeper:shell', line, 'Enter'),
    press: (key) => void tmux('send-keys', '-t', 'keeper:shell', key),
    closePane: () => void tmux('kill-pane', '-t', 'keeper:shell'),
    screen: () => tmux('capture-pane', '-p', '-t', 'keeper:shell'),
    close() {
      tmux('kill-server');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
