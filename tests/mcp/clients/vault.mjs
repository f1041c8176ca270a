// SPDX-License-Identifier: MIT
//
// A vault with sessions of two agents, made by the program itself in a folder of its own; gone at
// the end. What both client tests begin with.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const program = resolve(process.argv[2]);
export const clients = resolve(process.argv[3]);

export function makeVault() {
  const place = mkdtempSync(join(tmpdir(), 'daybook-mcp-clients-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, 'vault', 'memory'), { recursive: true });
  mkdirSync(join(place, 'home'));
  const environment = { HOME: join(place, 'home'), PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  const words = ['--workspace', join(place, 'vault'), '--state-dir', join(place, 'state')];
  const capture = (agent, key, word) => {
    writeFileSync(join(place, 'transcript.txt'), `User: where is the ${word}?\n\nAssistant: in src/${word}.cpp\n`);
    writeFileSync(join(place, 'summary.md'), `# The ${word}\n\nFound the ${word} in src/${word}.cpp and mended its import so that the readings of February agree with the chart.\n`);
    execFileSync(program, [...words, '--agent', agent, 'capture', 'session-end', '--no-model',
      '--session-id', `id-${key}`, '--session-key', key, '--project', '/home/dev/tidewater',
      '--transcript', join(place, 'transcript.txt'), '--summary', join(place, 'summary.md')],
    { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  capture('default', 'key-1', 'heron');
  capture('default', 'key-2', 'kestrel');
  capture('scribe', 'key-3', 'walrus');
  return { place, environment, words };
}

// Arguments that fit, for every tool that there may be; what it writes comes last.
export const calls = [
  ['recall', { query: 'where was the heron?', check_fresh: true }],
  ['memory_search', { query: 'heron' }],
  ['memory_context', { query: 'heron', session: 'key-1' }],
  ['memory_get', { id: 'key-1', max_bytes: 60 }],
  ['remember', { content: 'The pumps of tidewater are greased on Mondays.', category: 'Pumps', kind: 'decision' }],
  ['learn_procedure', { content: 'To grease a pump: stop it, open it, grease it, start it.' }],
  ['record_episode', { content: 'The pump was greased on a Tuesday, and broke.' }],
  ['list_memories', { limit: 5 }],
  ['memory_status', {}],
  ['memory_forget', { id: 'key-2', reason: 'a trial' }],
  // With the code that the call before has given.
  ['memory_forget', { id: 'key-2', reason: 'a trial', confirm: '' }],
];

// The arguments of a call, after what the calls before have answered.
export function meant(args, answers) {
  return 'confirm' in args ? { ...args, confirm: answers.at(-1).structuredContent.confirm } : args;
}

export function check(truth, what) {
  if (!truth) {
    console.error(`Not so: ${what}`);
    process.exit(1);
  }
}
