// SPDX-License-Identifier: MIT
//
// sdk_test.mjs PROGRAM CLIENTS: the official client lists and calls every tool, holds each result
// against its output schema, reads every resource, gets every prompt, cancels, hears progress and
// that the list changed.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { calls, check, clients, makeVault, meant, program } from './vault.mjs';

const require = createRequire(join(clients, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const types = await load('types.js');

const { environment, words } = makeVault();
const faults = [];

async function connect(options) {
  const client = new Client({ name: 'daybook-test', version: '1.0.0' });
  client.onerror = (error) => faults.push(String(error));  // such as a line that is no message
  const transport = new StdioClientTransport(
    { command: program, args: [...words, ...options], env: environment, stderr: 'inherit' });
  await client.connect(transport);
  return client;
}

async function allResources(client) {
  const resources = [];
  let cursor;
  do {
    const page = await client.listResources(cursor ? { cursor } : {});
    resources.push(...page.resources);
    cursor = page.nextCursor;
  } while (cursor);
  return resources;
}

const client = await connect(['mcp']);
check(client.getServerVersion().name === 'daybook', 'the server says its name');
check(client.getInstructions().length > 0, 'there are instructions');

const { tools } = await client.listTools();
const called = new Set(calls.map(([name]) => name));
for (const tool of tools) {
  check(called.has(tool.name), `the test calls ${tool.name}`);
}
let changed = 0;
client.setNotificationHandler(types.ResourceListChangedNotificationSchema, () => { changed += 1; });

for (const uri of (await allResources(client)).map((one) => one.uri)) {
  const { contents } = await client.readResource({ uri });
  check(contents[0].uri === uri && contents[0].text.length > 0, `${uri} can be read`);
}
const templates = await client.listResourceTemplates();
check(templates.resourceTemplates.length === 3, 'there are three templates');
await client.subscribeResource({ uri: 'daybook://memory' });
const completed = await client.complete({
  ref: { type: 'ref/resource', uri: 'daybook://sessions/{token}' },
  argument: { name: 'token', value: '' },
});
check(completed.completion.values.length === 2, 'tokens are completed');

const answers = [];
for (const [name, args] of calls) {
  // Progress that comes together with the answer is dropped by the client, so it is not counted.
  const result = await client.callTool({ name, arguments: meant(args, answers) }, undefined,
    { onprogress: () => {} });
  answers.push(result);
  check(!result.isError, `${name} answers: ${JSON.stringify(result.content)}`);
  check(result.structuredContent, `${name} answers with data`);
  check(result.content[0].text.length > 0, `${name} answers with text`);
}
await client.ping();
check(changed > 0, 'the client heard that the list of resources changed');

for (const prompt of (await client.listPrompts()).prompts) {
  const args = Object.fromEntries((prompt.arguments ?? []).map((one) => [one.name, 'mend the pump']));
  const { messages } = await client.getPrompt({ name: prompt.name, arguments: args });
  check(messages[0].content.text.length > 100, `${prompt.name} says what to do`);
}

const wrong = await client.callTool({ name: 'recall', arguments: { query: 5 } });
check(wrong.isError && wrong.content[0].text.includes('`query`'), 'a wrong call is told how to mend');
for (const call of [() => client.callTool({ name: 'no_such_tool', arguments: {} }),
  () => client.readResource({ uri: 'daybook://sessions/aaaaaaaaaaaaaaaa' }),
  () => client.getPrompt({ name: 'no-such-prompt' })]) {
  let code = 0;
  try {
    await call();
  } catch (error) {
    code = error.code;
  }
  check(code === -32602 || code === -32002, 'what is not there is an error of the protocol');
}
const abort = new AbortController();
const cancelled = client.callTool({ name: 'memory_status', arguments: {} }, undefined, { signal: abort.signal });
abort.abort();
check(await cancelled.then(() => false, () => true), 'a call can be cancelled');
await client.ping();
// The answer may have crossed the cancellation; the client is not at fault then, nor is the server.
for (let at = faults.length - 1; at >= 0; at -= 1) {
  if (faults[at].includes('a response for an unknown message ID')) faults.splice(at, 1);
}
await client.close();

const reader = await connect(['--agent', 'scribe', 'mcp', '--read-only']);
const allowed = await reader.listTools();
check(allowed.tools.every((tool) => tool.annotations.readOnlyHint), 'a read-only server only reads');
const found = await reader.callTool({ name: 'recall', arguments: { query: 'heron walrus' } });
check(found.structuredContent.results.length === 1, 'another agent sees its own memory only');
await reader.close();

check(faults.length === 0, `nothing went wrong on the way: ${faults.join('; ')}`);
console.log('The official client is content.');
