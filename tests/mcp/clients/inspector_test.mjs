// SPDX-License-Identifier: MIT
//
// inspector_test.mjs PROGRAM CLIENTS: the inspector's command line lists and calls every tool,
// reads every resource and gets every prompt, and finds nothing to say against the schemas.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { calls, check, clients, makeVault, meant, program } from './vault.mjs';

const { environment, words } = makeVault();
const inspector = join(clients, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

function inspect(options) {
  const run = spawnSync(process.execPath,
    [inspector, '--cli', program, ...words, 'mcp', ...options],
    { env: environment, encoding: 'utf8', timeout: 60_000 });
  check(run.status === 0, `${options.join(' ')} ends well: ${run.status} ${run.stderr} ${run.stdout}`);
  return { answer: JSON.parse(run.stdout), said: run.stderr };
}

const listed = inspect(['--method', 'tools/list', '--strict']);
check(!/[1-9]\d* (errors|warnings)/.test(listed.said), `the schemas are portable: ${listed.said}`);
const called = new Set(calls.map(([name]) => name));
for (const tool of listed.answer.tools) {
  check(called.has(tool.name), `the test calls ${tool.name}`);
}
for (const { uri } of inspect(['--method', 'resources/list']).answer.resources) {
  const { contents } = inspect(['--method', 'resources/read', '--uri', uri]).answer;
  check(contents[0].text.length > 0, `${uri} can be read`);
}
check(inspect(['--method', 'resources/templates/list']).answer.resourceTemplates.length === 3,
  'there are three templates');
for (const prompt of inspect(['--method', 'prompts/list']).answer.prompts) {
  const args = (prompt.arguments ?? []).map((one) => `${one.name}=mend`);
  const got = inspect(['--method', 'prompts/get', '--prompt-name', prompt.name,
    ...(args.length ? ['--prompt-args', ...args] : [])]);
  check(got.answer.messages.length === 1, `${prompt.name} can be had`);
}
const answers = [];
for (const [name, args] of calls) {
  const pairs = Object.entries(meant(args, answers)).map(([key, value]) => `${key}=${value}`);
  const { answer } = inspect(['--method', 'tools/call', '--tool-name', name,
    ...(pairs.length ? ['--tool-arg', ...pairs] : [])]);
  answers.push(answer);
  check(!answer.isError && answer.structuredContent, `${name} answers`);
}
console.log('The inspector is content.');
